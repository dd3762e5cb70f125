// Package archtest holds the rules that the module's packages keep: what may
// import what, what no library package may reach, and what every exported name
// has. It has tests only.
package archtest

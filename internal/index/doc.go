// Package index reads and writes git's index (gitformat-index(5)).
package index

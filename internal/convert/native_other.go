//go:build !windows

package convert

// nativeCRLF is core.eol=native.
const nativeCRLF = false

//go:build !linux

package main

import "errors"

// peak is measured on Linux only.
func peak([]string, []byte, string) (int, error) { return 0, errors.ErrUnsupported }

package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ingit-dev/ingit/reader"
)

// userConfig returns where the system's and the user's configuration lie, by
// the variables that git obeys: see ENVIRONMENT in git-config(1).
func userConfig(getenv func(string) (string, bool)) *reader.User {
	get := func(name string) string { v, _ := getenv(name); return v }
	u := &reader.User{Home: get("HOME"), ReadFile: os.ReadFile}
	if !truth(get("GIT_CONFIG_NOSYSTEM")) {
		u.SystemConfig = "/etc/gitconfig"
		if file, set := getenv("GIT_CONFIG_SYSTEM"); set {
			u.SystemConfig = file
		}
	}
	u.ConfigHome = get("XDG_CONFIG_HOME")
	if u.ConfigHome == "" && u.Home != "" {
		u.ConfigHome = filepath.Join(u.Home, ".config")
	}
	if file, set := getenv("GIT_CONFIG_GLOBAL"); set {
		if file != "" {
			u.GlobalConfig = []string{file}
		}
		return u
	}
	if u.ConfigHome != "" {
		u.GlobalConfig = append(u.GlobalConfig, filepath.Join(u.ConfigHome, "git", "config"))
	}
	if u.Home != "" {
		u.GlobalConfig = append(u.GlobalConfig, filepath.Join(u.Home, ".gitconfig"))
	}
	return u
}

// truth reads a boolean variable as git does; what git can't read is false.
func truth(value string) bool {
	switch strings.ToLower(value) {
	case "", "0", "false", "no", "off":
		return false
	}
	return true
}

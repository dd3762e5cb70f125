package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ingit": main})
}

// TestScripts plays testdata/script: each file runs real git and ingit and
// compares what they print.
func TestScripts(t *testing.T) {
	git := fixtures.RequireGit(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, fixtures.Env("HOME="+e.WorkDir, "XDG_CONFIG_HOME="+e.WorkDir)...)
			e.Setenv("PATH", e.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(git))
			return nil
		},
	})
}

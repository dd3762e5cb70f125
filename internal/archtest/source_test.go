package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Sizes beyond which a file or a function is reported, not refused.
const (
	longFile = 450
	longFunc = 60
)

// source is a parsed Go file.
type source struct {
	name string // below the module's top
	file *ast.File
	set  *token.FileSet
}

// sources parses every Go file of the module but tests.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	set := token.NewFileSet()
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err == nil {
			out = append(out, source{filepath.ToSlash(strings.TrimPrefix(path, filepath.FromSlash("../../"))), file, set})
		}
		return err
	}))
	return out
}

func TestExportedNamesHaveDocComments(t *testing.T) {
	for _, s := range sources(t) {
		if s.file.Name.Name == "main" {
			continue
		}
		for _, decl := range s.file.Decls {
			for _, name := range undocumented(decl) {
				assert.Fail(t, "no doc comment", "%s: %s", s.name, name)
			}
		}
	}
}

// undocumented returns the exported names that the declaration leaves without
// a comment. A group of constants or variables may have one for all.
func undocumented(decl ast.Decl) []string {
	var names []string
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				if d.Doc == nil && s.Doc == nil && s.Comment == nil && s.Names[0].IsExported() {
					names = append(names, s.Names[0].Name)
				}
			}
		}
	}
	return names
}

// exportedReceiver says whether callers can see the method: its type has an
// exported name, or it is a function.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

func TestPackagesAreIntroduced(t *testing.T) {
	introduced := map[string]bool{}
	for _, s := range sources(t) {
		dir := filepath.Dir(s.name)
		introduced[dir] = introduced[dir] || s.file.Doc != nil
	}
	for dir, ok := range introduced {
		assert.True(t, ok, "package %s has no comment", dir)
	}
}

// leftOvers are words of work that is not finished.
var leftOvers = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)

func TestNothingIsLeftOver(t *testing.T) {
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			assert.NotRegexp(t, leftOvers, group.Text(), s.name)
		}
	}
}

// TestSizes reports what is longer than the house style likes.
func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		data, err := os.ReadFile(filepath.Join("../..", s.name))
		require.NoError(t, err)
		if n := strings.Count(string(data), "\n"); n > longFile {
			t.Logf("%s has %d lines", s.name, n)
		}
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; n > longFunc {
					t.Logf("%s: %s has %d lines", s.name, f.Name.Name, n)
				}
			}
		}
	}
}

package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	module = "github.com/ingit-dev/ingit/"
	goGit  = "github.com/go-git/go-git/v5"
)

// pkg is what `go list -json` tells about a package.
type pkg struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

// name is the package's path within the module, and ours whether it is in it.
func (p pkg) name() (name string, ours bool) { return strings.CutPrefix(p.ImportPath, module) }

// list runs `go list -deps` for the operating system and architecture, both
// empty for the host's.
func list(t *testing.T, goos, goarch string) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	cmd.Dir = "../.."
	cmd.Env = os.Environ()
	if goos != "" {
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else {
			require.NoError(t, err)
		}
		pkgs = append(pkgs, p)
	}
}

// isTool says whether the package is no part of the library: a program, or
// something that only tests and measurements use.
func isTool(name string) bool {
	for _, tool := range []string{"cmd/", "mcp", "bench", "fixtures", "internal/compat", "internal/archtest"} {
		if strings.HasPrefix(name, tool) {
			return true
		}
	}
	return false
}

// beyond is what no library package may reach: processes, sockets, code loaded
// at run time, packages that make a WASI module several times larger, and
// go-git's root package, which doesn't compile for wasip1.
var beyond = []string{
	"os/exec", "net", "net/http", "crypto/tls", "plugin", "text/template", "html/template", "encoding/gob",
	goGit, goGit + "/plumbing/serverinfo", goGit + "/plumbing/transport",
}

func TestLibraryReachesNothingBeyond(t *testing.T) {
	for _, target := range [][2]string{{"", ""}, {"wasip1", "wasm"}} {
		t.Run("on "+target[0], func(t *testing.T) {
			t.Parallel()
			seen := 0
			for _, p := range list(t, target[0], target[1]) {
				name, ours := p.name()
				if !ours || isTool(name) && !strings.HasPrefix(name, "cmd/") {
					continue
				}
				seen++
				for _, dep := range beyond {
					assert.NotContains(t, p.Deps, dep, "%s reaches %s", name, dep)
				}
			}
			assert.Greater(t, seen, 10)
		})
	}
}

// layers says what each package may import of ours; a name that ends in "/"
// stands for everything below. Every other package is refused until it is
// listed here.
var layers = []struct {
	name string
	may  []string
}{
	{"sandbox", nil},
	{"sandbox/billyfs", nil},
	{"artifacts", nil},
	{"internal/inflate", nil},
	{"internal/linediff", nil},
	{"internal/wildmatch", nil},
	{"internal/quote", nil},
	{"internal/statustext", []string{"reader", "sandbox", "internal/quote", "internal/columns", "internal/gitconfig", "internal/object", "internal/pretty"}},
	{"internal/archtest", nil},
	{"internal/compat", []string{"fixtures", "sandbox", "reader", "tools"}},
	{"internal/", []string{"sandbox", "internal/"}},
	{"reader", []string{"sandbox", "internal/"}},
	{"blame", []string{"reader", "sandbox", "internal/"}},
	{"diffrender", []string{"reader", "sandbox", "internal/"}},
	{"diffrender/intraline", nil},
	{"writer", []string{"reader", "sandbox", "internal/"}},
	{"tools", []string{"reader", "blame", "diffrender", "writer", "artifacts", "sandbox", "internal/"}},
	{"mcp", []string{"tools", "sandbox", "artifacts"}},
	{"cmd/ingit", []string{"tools", "mcp", "sandbox", "reader", "writer"}},
	{"fixtures", []string{"fixtures", "internal/"}},
}

// above are the packages that no other library package may import through the
// "internal/" of its layer: they use what reader knows.
var above = []string{"internal/statustext", "internal/compat", "internal/archtest"}

// under says whether name is one of the rules or below one.
func under(name string, rules []string) bool {
	return slices.ContainsFunc(rules, func(rule string) bool {
		return name == rule || strings.HasSuffix(rule, "/") && strings.HasPrefix(name, rule) && !slices.Contains(above, name)
	})
}

func TestImportsFollowTheLayers(t *testing.T) {
	for _, p := range list(t, "", "") {
		name, ours := p.name()
		if !ours {
			continue
		}
		i := slices.IndexFunc(layers, func(l struct {
			name string
			may  []string
		}) bool {
			return l.name == name || strings.HasSuffix(l.name, "/") && strings.HasPrefix(name, l.name)
		})
		if !assert.GreaterOrEqual(t, i, 0, "package %s has no layer: add it to the table", name) {
			continue
		}
		for _, dep := range p.Imports {
			if dep, ours := strings.CutPrefix(dep, module); ours {
				allowed := under(dep, layers[i].may) || name == "tools" && dep == above[0]
				assert.True(t, allowed, "%s must not import %s", name, dep)
			}
		}
	}
}

// goGitPackages are the packages of go-git that may be imported, and by whom;
// its root package, transports and worktree are not among them.
var goGitPackages = map[string][]string{
	"/plumbing/storer":   {"reader", "internal/odb", "internal/refs"},
	"/plumbing/filemode": {"reader", "internal/", "diffrender", "writer", "blame"},
	"/plumbing/hash":     {"internal/", "writer"},
}

func TestGoGitIsImportedByNameOnly(t *testing.T) {
	for _, p := range list(t, "", "") {
		name, ours := p.name()
		if !ours || isTool(name) {
			continue
		}
		for _, dep := range p.Imports {
			sub, isGoGit := strings.CutPrefix(dep, goGit)
			if !isGoGit || sub == "/plumbing" {
				continue
			}
			assert.True(t, under(name, goGitPackages[sub]), "%s must not import %s", name, dep)
		}
	}
}

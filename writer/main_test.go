package writer

import (
	"os"
	"testing"

	"github.com/ingit-dev/ingit/fixtures"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(killedOperation); name != "" {
		os.Exit(runToBeKilled(name))
	}
	os.Exit(fixtures.RunInMemory(m))
}

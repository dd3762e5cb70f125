package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ingit-dev/ingit/bench/history"
)

// growth measures how cost grows with history.
type growth struct {
	root, sizes, svg, ingit string
	rounds                  int
}

func growthCommand(args []string) error {
	var g growth
	flags := flag.NewFlagSet("growth", flag.ContinueOnError)
	flags.StringVar(&g.root, "root", filepath.Join(os.TempDir(), "ingit-growth"), "where the made-up histories are kept")
	flags.StringVar(&g.sizes, "sizes", "10000,40000,160000", "how many commits they have")
	flags.StringVar(&g.svg, "svg", "growth.svg", "the plot")
	flags.StringVar(&g.ingit, "ingit", "", "the ingit binary; built from this tree when absent")
	flags.IntVar(&g.rounds, "rounds", 5, "rounds per job")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return g.run()
}

// growthJobs are what grows: a path's log, a blame, and a log that should not.
func growthJobs() []job {
	return []job{
		pathJob("Makefile"), blameJob("Makefile"),
		{name: "log -1000", request: map[string]any{"operation": "log", "limit": 1000}, git: logArgs(1000)},
	}
}

// curve is the cost of one job, by size: the median processor time of git and of
// ingit, in milliseconds.
type curve struct {
	name       string
	git, ingit []float64
}

func (g growth) run() error {
	if err := os.MkdirAll(g.root, 0o777); err != nil {
		return err
	}
	if g.ingit == "" {
		var err error
		if g.ingit, err = build(g.root); err != nil {
			return err
		}
	}
	jobs := growthJobs()
	curves := make([]curve, len(jobs))
	var sizes []int
	for text := range strings.SplitSeq(g.sizes, ",") {
		size, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("size %q: %w", text, err)
		}
		sizes = append(sizes, size)
		dir := filepath.Join(g.root, text)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			err = generate(dir, history.Params{Commits: size})
			if err != nil {
				return err
			}
		}
		for i, j := range jobs {
			if err := g.measure(&curves[i], j, dir); err != nil {
				return err
			}
		}
	}
	for _, c := range curves {
		for i, size := range sizes {
			fmt.Printf("| %s | %d | %.1f | %.1f | %.2f |\n", c.name, size, c.git[i], c.ingit[i], c.ingit[i]/c.git[i])
		}
	}
	return os.WriteFile(g.svg, plot(sizes, curves), 0o666)
}

// measure compares the answers once and adds the medians of the rounds.
func (g growth) measure(c *curve, j job, dir string) error {
	c.name = j.name
	contestants := []struct {
		argv  []string
		input []byte
		cpu   []time.Duration
	}{{argv: append([]string{"git"}, j.git...)}, {argv: []string{g.ingit, "call", "--workspace", dir}, input: j.json(dir)}}
	var answers [2][]byte
	for i := range contestants {
		var err error
		if answers[i], err = answer(contestants[i].argv, contestants[i].input, dir); err != nil {
			return err
		}
	}
	if !bytes.Equal(answers[0], answers[1]) {
		return fmt.Errorf("%s in %s: the answers differ", j.name, dir)
	}
	for range g.rounds {
		for i := range contestants {
			s, err := timed(contestants[i].argv, contestants[i].input, dir)
			if err != nil {
				return err
			}
			contestants[i].cpu = append(contestants[i].cpu, s.cpu)
		}
	}
	c.git = append(c.git, float64(median(contestants[0].cpu))/float64(time.Millisecond))
	c.ingit = append(c.ingit, float64(median(contestants[1].cpu))/float64(time.Millisecond))
	return nil
}

// The plot, in pixels.
const (
	panelWidth, panelHeight = 300, 240
	plotLeft, plotTop       = 60, 50
)

// plot draws a panel for each curve; both axes are logarithmic.
func plot(sizes []int, curves []curve) []byte {
	var b bytes.Buffer
	width := len(curves)*(panelWidth+plotLeft) + 20
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", width, panelHeight+plotTop+60)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for i, c := range curves {
		panel(&b, i*(panelWidth+plotLeft)+plotLeft, sizes, c)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func panel(b *bytes.Buffer, left int, sizes []int, c curve) {
	low, high := math.Inf(1), 0.0
	for i := range sizes {
		low, high = min(low, c.git[i], c.ingit[i]), max(high, c.git[i], c.ingit[i])
	}
	low, high = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	x := func(size int) float64 {
		span := math.Log(float64(sizes[len(sizes)-1]) / float64(sizes[0]))
		if span == 0 {
			return float64(left)
		}
		return float64(left) + math.Log(float64(size)/float64(sizes[0]))/span*(panelWidth-20)
	}
	y := func(ms float64) float64 { return plotTop + panelHeight*(1-math.Log(ms/low)/math.Log(high/low)) }
	fmt.Fprintf(b, `<text x="%d" y="24" font-weight="bold">%s</text><text x="%d" y="40" fill="gray">ms of processor time by commits</text>`+"\n", left, c.name, left)
	for ms := low; ms <= high*1.001; ms *= 10 {
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%g</text>`+"\n", left, left+panelWidth-20, y(ms), y(ms), left-6, y(ms)+4, ms)
	}
	for _, size := range sizes {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(size), plotTop+panelHeight+18, size)
	}
	for _, line := range []struct {
		name, colour string
		values       []float64
		legend       int
	}{{"git", "#888", c.git, 0}, {"ingit", "#0a6", c.ingit, 60}} {
		var points []string
		for i, size := range sizes {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(size), y(line.values[i])))
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(size), y(line.values[i]), line.colour)
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), line.colour)
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", left+line.legend, plotTop+panelHeight+40, line.colour, line.name)
	}
}

package exposition

import (
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestTheFormat(t *testing.T) {
	t.Parallel()
	c := NewCounter("hits_total", "Hits by \\ path\nand more.", "path", "status")
	h := NewHistogram("seconds", "Times.", []float64{.1, 1}, "path")
	c.Increment(`/a"b\`+"\n\xff", "200")
	c.Increment("/", "200")
	c.Increment("/", "200")
	c.Increment("/")
	for _, x := range []float64{.05, .1, .5, 7} {
		h.Observe(x, "/")
	}
	var w Writer
	w.Counter(c)
	w.Histogram(h)
	w.WriteGauge("queue", "Length.", 3)
	w.WriteGauge("pages", "Pages.", 1.5, "set", "A@1")
	w.WriteGauge("pages", "Pages.", 2e9, "set", "B@1")
	w.WriteTotal("calls_total", "Calls.", 0)
	want := `# HELP hits_total Hits by \\ path\nand more.
# TYPE hits_total counter
hits_total{path="/",status=""} 1
hits_total{path="/",status="200"} 2
hits_total{path="/a\"b\\\n` + "\uFFFD" + `",status="200"} 1
# HELP seconds Times.
# TYPE seconds histogram
seconds_bucket{path="/",le="0.1"} 2
seconds_bucket{path="/",le="1"} 3
seconds_bucket{path="/",le="+Inf"} 4
seconds_sum{path="/"} 7.65
seconds_count{path="/"} 4
# HELP queue Length.
# TYPE queue gauge
queue 3
# HELP pages Pages.
# TYPE pages gauge
pages{set="A@1"} 1.5
pages{set="B@1"} 2e+09
# HELP calls_total Calls.
# TYPE calls_total counter
calls_total 0
`
	if got := w.String(); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

// What a process tells of itself is a number a line, and not nothing.
func TestProcess(t *testing.T) {
	t.Parallel()
	var w Writer
	w.Process()
	line := regexp.MustCompile(`^[a-z_]+(?:\{version="[^"]+"\})? ([0-9.e+]+)$`)
	values := map[string]float64{}
	for text := range strings.Lines(w.String()) {
		if strings.HasPrefix(text, "#") {
			continue
		}
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			t.Errorf("%q", text)
			continue
		}
		name, _, _ := strings.Cut(text, " ")
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Error(err)
		}
		values[name] = x
	}
	want := []string{"go_goroutines", "go_memstats_heap_alloc_bytes"}
	if runtime.GOOS == "linux" {
		want = append(want, "process_resident_memory_bytes", "process_open_fds", "process_virtual_memory_bytes")
	}
	for _, name := range want {
		if values[name] < 1 {
			t.Errorf("%s is %v", name, values[name])
		}
	}
}

func TestManyCountAtOnce(t *testing.T) {
	t.Parallel()
	c, h := NewCounter("n", "N."), NewHistogram("h", "H.", []float64{1})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				c.Increment()
				h.Observe(2)
			}
		})
	}
	all.Wait()
	var w Writer
	w.Counter(c)
	w.Histogram(h)
	if got := w.String(); !strings.Contains(got, "\nn 8000\n") || !strings.Contains(got, "\nh_count 8000\n") {
		t.Errorf("%s", got)
	}
}

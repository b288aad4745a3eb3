package exposition

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Process writes what Prometheus' clients tell of a process of Go, under their names, as
// far as the system tells it in files (Linux).
func (w *Writer) Process() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.WriteGauge("go_goroutines", "Goroutines that exist.", float64(runtime.NumGoroutine()))
	w.WriteGauge("go_info", "The version of Go.", 1, "version", runtime.Version())
	w.WriteGauge("go_memstats_heap_alloc_bytes", "Bytes of the heap that are in use.", float64(m.HeapAlloc))
	w.WriteGauge("go_memstats_heap_inuse_bytes", "Bytes of the heap's spans that are in use.", float64(m.HeapInuse))
	w.WriteGauge("go_memstats_sys_bytes", "Bytes that were taken from the system.", float64(m.Sys))
	w.WriteTotal("go_memstats_alloc_bytes_total", "Bytes of the heap that were ever taken.", float64(m.TotalAlloc))
	w.WriteTotal("go_memstats_mallocs_total", "Objects of the heap that were ever taken.", float64(m.Mallocs))
	w.WriteTotal("go_gc_cycles_total", "Collections of garbage.", float64(m.NumGC))
	if seconds, ok := processors(); ok {
		w.WriteTotal("process_cpu_seconds_total", "Time of the processors, in seconds.", seconds)
	}
	if resident, virtual, ok := processMemory(); ok {
		w.WriteGauge("process_resident_memory_bytes", "Bytes that lie in memory.", resident)
		w.WriteGauge("process_virtual_memory_bytes", "Bytes of the address space.", virtual)
	}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		w.WriteGauge("process_open_fds", "Descriptors that are open.", float64(len(entries)))
	}
}

// ticks of the processors' time a second: what Linux tells programs, on all machines.
const ticks = 100

// processors is the time of the processors: of the fields of /proc/self/stat, which are
// counted behind the command's name.
func processors() (seconds float64, ok bool) {
	raw, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, false
	}
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const user, system = 11, 12
	if len(fields) <= system {
		return 0, false
	}
	return (numberOf(fields[user]) + numberOf(fields[system])) / ticks, true
}

func processMemory() (resident, virtual float64, ok bool) {
	raw, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(raw))
	if err != nil || len(fields) < 2 {
		return 0, 0, false
	}
	page := float64(os.Getpagesize())
	return numberOf(fields[1]) * page, numberOf(fields[0]) * page, true
}

func numberOf(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return x
}

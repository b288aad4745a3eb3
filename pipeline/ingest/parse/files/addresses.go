package files

import (
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Addresses is the name of the file in the folder of a doc set that says where its files lie on
// the web, where they cannot say it themselves: a line each of a path with slashes, a tab and an
// address. It is written with documents that were fetched.
const Addresses = ".docent-addresses"

// mostAddresses is the most bytes that are read of such a file.
const mostAddresses = 16 << 20

// FormatAddresses is the content of the file Addresses.
func FormatAddresses(addresses map[string]string) []byte {
	lines := make([]string, 0, len(addresses))
	for file, address := range addresses {
		if !strings.ContainsAny(file+address, "\t\r\n") {
			lines = append(lines, file+"\t"+address+"\n")
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// isWeb reports whether a text is an address of the web that can stand in a citation.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil &&
		!strings.ContainsAny(address, " <>\"")
}

// AddressesIn reads the file Addresses of the folder of a doc set, nil without such a file.
// Lines that have no address of the web are left out.
func AddressesIn(root string) map[string]string {
	name := filepath.Join(root, Addresses)
	st, err := os.Lstat(name)
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, mostAddresses))
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		file, address, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && strings.HasSuffix(line, "\n") && isWeb(address) {
			out[file] = address
		}
	}
	return out
}

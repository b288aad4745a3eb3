package config

import (
	"net/netip"
	"strings"

	"docent/cmd/internal/password"
	"docent/store/address"
)

// defaultListen is an address that only this machine reaches.
const defaultListen = "127.0.0.1:7717"

// hidden is shown in place of a hash, which would help to guess the password.
const hidden = "(set)"

// passwordHash is the hash of the server's password.
func passwordHash() Setting {
	const key = "server.password_hash"
	return Setting{Key: key, About: "hash of the password that docent serve asks for; docent serve --set-password makes one",
		read: func(c *Config, _ file, value any) []Fault {
			hash, ok := value.(string)
			if !ok {
				return oneFault(key, "it must be a text in quotes")
			}
			if hash != "" {
				if err := password.CheckHash(hash); err != nil {
					return oneFault(key, "%v", err)
				}
			}
			c.PasswordHash = hash
			return nil
		},
		show: func(c *Config) any {
			if c.PasswordHash == "" {
				return ""
			}
			return hidden
		},
	}
}

// namesSetting is a list of any names.
func namesSetting(key, about string, field func(*Config) *[]string) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of texts, such as [\"docs.example.org\"]")
			}
			for _, name := range v {
				if name == "" || strings.ContainsAny(name, "/ ") {
					return oneFault(key, "%q is no name of a server, such as docs.example.org", name)
				}
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(*field(c), " ") },
	}
}

// serverTraces is where traces go.
func serverTraces() Setting {
	return scalarSetting("server.traces", "address of a collector of OpenTelemetry's traces (OTLP over HTTP); off: none",
		"a text in quotes", func(c *Config) *string { return &c.Traces }, func(_ *Config, v string) string {
			return problemOf(address.ParseCollector(v))
		})
}

// proxies are the addresses of proxies.
func proxies() Setting {
	const key = "server.proxies"
	return Setting{Key: key, About: "addresses of proxies in front of docent serve, whose X-Forwarded-For names the client",
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of texts, such as [\"127.0.0.1\"]")
			}
			list := make([]netip.Prefix, len(v))
			for i, text := range v {
				var err error
				if list[i], err = readNetwork(text); err != nil {
					return oneFault(key, "%q is neither an address, such as 10.0.0.2, nor a network, such as 10.0.0.0/8", text)
				}
			}
			c.Proxies = list
			return nil
		},
		show: func(c *Config) any {
			var out []string
			for _, p := range c.Proxies {
				text := p.String()
				if p.IsSingleIP() {
					text = p.Addr().String()
				}
				out = append(out, text)
			}
			return strings.Join(out, " ")
		},
	}
}

// readNetwork reads an address or a network.
func readNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		return p.Masked(), err
	}
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	ip = ip.Unmap().WithZone("")
	return netip.PrefixFrom(ip, ip.BitLen()), nil
}

package analysis

import (
	"unicode"
	"unicode/utf8"
)

// greekName is a Greek letter's name, for where it is a symbol: IFN-γ is written
// IFN-gamma too.
func greekName(r rune) string {
	switch r {
	case 'α':
		return "alpha"
	case 'β', 'ϐ':
		return "beta"
	case 'γ':
		return "gamma"
	case 'δ':
		return "delta"
	case 'ε', 'ϵ':
		return "epsilon"
	case 'ζ':
		return "zeta"
	case 'η':
		return "eta"
	case 'θ', 'ϑ':
		return "theta"
	case 'κ':
		return "kappa"
	case 'λ':
		return "lambda"
	case 'μ', 'µ':
		return "mu"
	case 'π':
		return "pi"
	case 'ρ':
		return "rho"
	case 'σ':
		return "sigma"
	case 'τ':
		return "tau"
	case 'φ', 'ϕ':
		return "phi"
	case 'χ':
		return "chi"
	case 'ψ':
		return "psi"
	case 'ω':
		return "omega"
	}
	return ""
}

// isSymbol reports whether the Greek letters of a word are symbols: it is one letter,
// or has letters of another script or digits too. Greek words stay Greek.
func isSymbol(w string) bool {
	if utf8.RuneCountInString(w) == 1 {
		return true
	}
	for _, r := range w {
		if unicode.IsDigit(r) || unicode.IsLetter(r) && !unicode.Is(unicode.Greek, r) && r != 'µ' {
			return true
		}
	}
	return false
}

package llmtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// A GGUF file has a header, keys with values, the names and shapes of the tensors,
// and their data: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. This
// file writes version 3, little-endian, with 32-bit floats only.

const (
	ggufUint32    = 4
	ggufInt32     = 5
	ggufFloat32   = 6
	ggufBool      = 7
	ggufString    = 8
	ggufArray     = 9
	ggufAlignment = 32
)

type ggufKey struct {
	name  string
	value any // uint32, float32, bool, string, []string, []int32
}

type ggufTensor struct {
	name string
	dims []int // the fastest varying dimension first
	data []float32
}

// writeGGUF returns the bytes of a GGUF file.
func writeGGUF(keys []ggufKey, tensors []ggufTensor) []byte {
	var b bytes.Buffer
	le := binary.LittleEndian
	u32 := func(v uint32) { b.Write(le.AppendUint32(nil, v)) }
	u64 := func(v int) { b.Write(le.AppendUint64(nil, uint64(v))) }
	str := func(s string) { u64(len(s)); b.WriteString(s) }
	b.WriteString("GGUF")
	u32(3)
	u64(len(tensors))
	u64(len(keys))
	for _, k := range keys {
		str(k.name)
		switch v := k.value.(type) {
		case uint32:
			u32(ggufUint32)
			u32(v)
		case float32:
			u32(ggufFloat32)
			u32(math.Float32bits(v))
		case bool:
			u32(ggufBool)
			n := byte(0)
			if v {
				n = 1
			}
			b.WriteByte(n)
		case string:
			u32(ggufString)
			str(v)
		case []string:
			u32(ggufArray)
			u32(ggufString)
			u64(len(v))
			for _, s := range v {
				str(s)
			}
		case []int32:
			u32(ggufArray)
			u32(ggufInt32)
			u64(len(v))
			for _, n := range v {
				u32(uint32(n))
			}
		default:
			panic(fmt.Sprintf("no GGUF value of type %T", v)) // a mistake in this file
		}
	}
	align := func(n int) int { return (n + ggufAlignment - 1) / ggufAlignment * ggufAlignment }
	offset := 0
	for _, t := range tensors {
		str(t.name)
		u32(uint32(len(t.dims)))
		for _, d := range t.dims {
			u64(d)
		}
		u32(0) // 32-bit floats
		u64(offset)
		offset = align(offset + 4*len(t.data))
	}
	b.Write(make([]byte, align(b.Len())-b.Len()))
	for _, t := range tensors {
		for _, x := range t.data {
			u32(math.Float32bits(x))
		}
		b.Write(make([]byte, align(4*len(t.data))-4*len(t.data)))
	}
	return b.Bytes()
}

// weights generates random tensors from a seed.
type weights struct {
	random  *rand.Rand
	tensors []ggufTensor
}

// addTensor generates a tensor with normally distributed weights. Their standard
// deviation is gain/√inputs: with a gain of 1 the output is as large as the input.
func (w *weights) addTensor(name string, gain float64, dims ...int) {
	n := 1
	for _, d := range dims {
		n *= d
	}
	t := ggufTensor{name, dims, make([]float32, n)}
	for i := range t.data {
		t.data[i] = float32(w.random.NormFloat64() * gain / math.Sqrt(float64(dims[0])))
	}
	w.tensors = append(w.tensors, t)
}

// constant adds a tensor with a single value, as the norm layers have.
func (w *weights) constant(name string, value float32, n int) {
	t := ggufTensor{name, []int{n}, make([]float32, n)}
	for i := range t.data {
		t.data[i] = value
	}
	w.tensors = append(w.tensors, t)
}

// Sizes of the tiny models. They are generated and loaded in milliseconds.
const (
	tinyWidth  = 64
	tinyHeads  = 4
	tinyLayers = 2
	// ChatContext is the context of TinyChat in tokens.
	ChatContext = 4096
	// EmbedDimension is the dimension of TinyEmbed's embeddings.
	EmbedDimension = tinyWidth
	// EmbedContext is the context of TinyEmbed in tokens.
	EmbedContext = 512
)

// TinyChat returns a llama model with two layers and random weights, as a GGUF
// file. Its tokens are the 256 bytes and a few words of JSON. Its answers are
// endless nonsense, the same for the same seed, and obey a schema.
func TinyChat(seed uint64) []byte { return tinyChat(seed, nil) }

// BriefChat is like TinyChat, but prefers lower-case letters, and ends strings and
// lists as soon as the schema allows. Its answers are short and well-formed for
// every prompt.
func BriefChat(seed uint64) []byte {
	return tinyChat(seed, func(token string) float32 {
		switch {
		case token == `"`:
			return 3
		case token == "]":
			return 2.5
		case len(token) == 1 && token >= "a" && token <= "z":
			return 2
		}
		return 0
	})
}

// tinyChat returns a chat model as a GGUF file. bias is added to the logit of a
// token in every position; it may be nil.
func tinyChat(seed uint64, bias func(token string) float32) []byte {
	const feed = 128
	tokens, types := byteTokens(), make([]int32, 0, 300)
	merges := []string{"{ \"", "\" :", "\" ,", "\" }", "t r", "tr u", "tru e", "f a", "fa l", "fal s", "fals e"}
	for _, m := range merges {
		var a, b string
		fmt.Sscanf(m, "%s %s", &a, &b)
		tokens = append(tokens, a+b)
	}
	for range tokens {
		types = append(types, 1) // normal
	}
	begin := len(tokens)
	for _, s := range []string{"<|begin|>", "<|im_start|>", "<|im_end|>"} {
		tokens, types = append(tokens, s), append(types, 3) // control
	}
	end := len(tokens) - 1
	w := weights{random: rand.New(rand.NewPCG(seed, 1))}
	w.addTensor("token_embd.weight", 8, tinyWidth, len(tokens))
	w.constant("output_norm.weight", 1, tinyWidth)
	w.addTensor("output.weight", 1, tinyWidth, len(tokens))
	// The logits of the control tokens are 0, so that the model does not end an
	// answer unless a schema forces it to: tests rely on answers that are cut off.
	output := w.tensors[len(w.tensors)-1].data
	clear(output[begin*tinyWidth:])
	if bias != nil {
		// The first component of every token embedding is the same constant. Its
		// weight in the output layer therefore acts as a bias.
		const constant = 6
		for i, token := range tokens {
			w.tensors[0].data[i*tinyWidth] = constant
			output[i*tinyWidth] = bias(token)
		}
	}
	for l := range tinyLayers {
		p := fmt.Sprintf("blk.%d.", l)
		w.constant(p+"attn_norm.weight", 1, tinyWidth)
		for _, n := range []string{"q", "k", "v", "output"} {
			w.addTensor(p+"attn_"+n+".weight", 1, tinyWidth, tinyWidth)
		}
		w.constant(p+"ffn_norm.weight", 1, tinyWidth)
		w.addTensor(p+"ffn_gate.weight", 1, tinyWidth, feed)
		w.addTensor(p+"ffn_up.weight", 1, tinyWidth, feed)
		w.addTensor(p+"ffn_down.weight", 1, feed, tinyWidth)
	}
	return writeGGUF([]ggufKey{
		{"general.architecture", "llama"},
		{"general.name", "tiny-chat"},
		{"general.file_type", uint32(0)},
		{"llama.vocab_size", uint32(len(tokens))},
		{"llama.context_length", uint32(ChatContext)},
		{"llama.embedding_length", uint32(tinyWidth)},
		{"llama.block_count", uint32(tinyLayers)},
		{"llama.feed_forward_length", uint32(feed)},
		{"llama.rope.dimension_count", uint32(tinyWidth / tinyHeads)},
		{"llama.rope.freq_base", float32(10000)},
		{"llama.attention.head_count", uint32(tinyHeads)},
		{"llama.attention.head_count_kv", uint32(tinyHeads)},
		{"llama.attention.key_length", uint32(tinyWidth / tinyHeads)},
		{"llama.attention.value_length", uint32(tinyWidth / tinyHeads)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-5)},
		{"tokenizer.ggml.model", "gpt2"},
		{"tokenizer.ggml.pre", "llama-bpe"},
		{"tokenizer.ggml.tokens", tokens},
		{"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.merges", merges},
		{"tokenizer.ggml.bos_token_id", uint32(begin)},
		{"tokenizer.ggml.eos_token_id", uint32(end)},
		{"tokenizer.ggml.padding_token_id", uint32(begin)},
		{"tokenizer.ggml.add_bos_token", false},
		{"tokenizer.chat_template", "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + " +
			"'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"},
	}, w.tensors)
}

// byteTokens returns the 256 bytes in GPT-2's notation: printable bytes as
// themselves, the others as letters from U+0100 on.
func byteTokens() []string {
	out := make([]string, 256)
	next := rune(256)
	for b := range 256 {
		switch {
		case b >= '!' && b <= '~', b >= 0xa1 && b <= 0xac, b >= 0xae:
			out[b] = string(rune(b))
		default:
			out[b] = string(next)
			next++
		}
	}
	return out
}

// TinyEmbed returns a BERT model with two layers and random weights, as a GGUF
// file. Its tokens are letters: texts with the same letters are similar.
func TinyEmbed(seed uint64) []byte {
	const feed = 4 * tinyWidth
	tokens := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	types := []int32{3, 3, 3, 3, 3}
	for b := '!'; b <= '~'; b++ {
		if b >= 'A' && b <= 'Z' {
			continue // texts are lower-cased
		}
		// The letter at the start of a word, and within a word.
		tokens, types = append(tokens, "▁"+string(b), string(b)), append(types, 1, 1)
	}
	w := weights{random: rand.New(rand.NewPCG(seed, 2))}
	w.addTensor("token_embd.weight", 8, tinyWidth, len(tokens))
	w.addTensor("position_embd.weight", 1, tinyWidth, EmbedContext)
	w.addTensor("token_types.weight", 1, tinyWidth, 2)
	w.constant("token_embd_norm.weight", 1, tinyWidth)
	w.constant("token_embd_norm.bias", 0, tinyWidth)
	for l := range tinyLayers {
		p := fmt.Sprintf("blk.%d.", l)
		for _, n := range []string{"q", "k", "v", "output"} {
			w.addTensor(p+"attn_"+n+".weight", 1, tinyWidth, tinyWidth)
			w.constant(p+"attn_"+n+".bias", 0, tinyWidth)
		}
		for _, n := range []string{"attn_output_norm", "layer_output_norm"} {
			w.constant(p+n+".weight", 1, tinyWidth)
			w.constant(p+n+".bias", 0, tinyWidth)
		}
		w.addTensor(p+"ffn_up.weight", 1, tinyWidth, feed)
		w.constant(p+"ffn_up.bias", 0, feed)
		w.addTensor(p+"ffn_down.weight", 1, feed, tinyWidth)
		w.constant(p+"ffn_down.bias", 0, tinyWidth)
	}
	return writeGGUF([]ggufKey{
		{"general.architecture", "bert"},
		{"general.name", "tiny-embed"},
		{"general.file_type", uint32(0)},
		{"bert.context_length", uint32(EmbedContext)},
		{"bert.embedding_length", uint32(tinyWidth)},
		{"bert.block_count", uint32(tinyLayers)},
		{"bert.feed_forward_length", uint32(feed)},
		{"bert.attention.head_count", uint32(tinyHeads)},
		{"bert.attention.layer_norm_epsilon", float32(1e-12)},
		{"bert.attention.causal", false},
		{"bert.pooling_type", uint32(1)}, // the mean
		{"tokenizer.ggml.model", "bert"},
		{"tokenizer.ggml.pre", "jina-v2-en"},
		{"tokenizer.ggml.tokens", tokens},
		{"tokenizer.ggml.token_type", types},
		{"tokenizer.ggml.token_type_count", uint32(2)},
		{"tokenizer.ggml.padding_token_id", uint32(0)},
		{"tokenizer.ggml.unknown_token_id", uint32(1)},
		{"tokenizer.ggml.bos_token_id", uint32(2)},
		{"tokenizer.ggml.cls_token_id", uint32(2)},
		{"tokenizer.ggml.eos_token_id", uint32(3)},
		{"tokenizer.ggml.seperator_token_id", uint32(3)}, // llama.cpp's spelling
		{"tokenizer.ggml.mask_token_id", uint32(4)},
	}, w.tensors)
}

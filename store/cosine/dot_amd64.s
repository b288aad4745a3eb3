//go:build !purego

#include "textflag.h"

// func dotsAVX2(rows *byte, size, head, n int, plane *byte, blocks int, out *uint32)
//
// For each of n rows of size bytes: the sum of the products of its bytes from
// head on and the plane's, blocks times 32 of them.
TEXT ·dotsAVX2(SB), NOSPLIT, $0-56
	MOVQ rows+0(FP), SI
	MOVQ size+8(FP), R8
	MOVQ head+16(FP), R9
	MOVQ n+24(FP), CX
	MOVQ plane+32(FP), DI
	MOVQ blocks+40(FP), R10
	MOVQ out+48(FP), DX
	VPCMPEQW Y7, Y7, Y7
	VPSRLW $15, Y7, Y7         // sixteen times 1

row:
	LEAQ (SI)(R9*1), AX
	MOVQ DI, BX
	MOVQ R10, R11
	VPXOR Y0, Y0, Y0

block:
	VMOVDQU (AX), Y1
	VPMADDUBSW (BX), Y1, Y1    // sums of two products: 2 x 127 x 127 < 2^15
	VPMADDWD Y7, Y1, Y1        // of four
	VPADDD Y1, Y0, Y0
	ADDQ $32, AX
	ADDQ $32, BX
	DECQ R11
	JNZ block

	VEXTRACTI128 $1, Y0, X1    // the eight sums to one
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, (DX)
	ADDQ $4, DX
	ADDQ R8, SI
	DECQ CX
	JNZ row

	VZEROUPPER
	RET

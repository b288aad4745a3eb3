/* SPDX-License-Identifier: MIT */
/*
 * Lamps, in C.
 */
#include <stdio.h>
#define LIGHT(x) do { \
	light(x); \
} while (0)

struct lamp {
	int oil;
	struct { int a; } in;
};

typedef struct {
	int x;
} point_t;

enum kind { OIL, GAS };

static const char *names[] = {
	"oil {", "gas",
};

/**
 * light - light a lamp
 * @lamp: which one
 *
 * Return: 0 or an error.
 */
int light(struct lamp *lamp);

#ifdef FAST
static inline struct lamp *lamp_new(int oil) {
#else
static struct lamp *lamp_new(int oil)
{
#endif
	if (oil) { return 0; }
	return NULL;
}

int
main(int argc, char **argv)
{
	char c = '"';
	return light(NULL);
}

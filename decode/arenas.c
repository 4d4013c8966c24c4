// Memory that one decoder gave back is to serve the next. glibc has a pool of its
// own for each of the threads that Go starts, up to eight times the processors, and
// a process that opens thousands of decoders one after the other grows with them.
// The number of pools can only be set before the first thread comes, so that it is
// done here and not by a function: a program that decodes has a single one. It is
// used a few times a picture, as libavcodec keeps the pictures themselves.
#include <stdlib.h> // defines __GLIBC__ where it applies

#ifdef __GLIBC__
#include <malloc.h>

__attribute__((constructor)) static void one_arena(void) {
	if (getenv("MALLOC_ARENA_MAX") == NULL) {
		mallopt(M_ARENA_MAX, 1);
	}
}
#endif

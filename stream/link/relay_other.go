//go:build !linux

package link

import "context"

func (r *Relay) serve(ctx context.Context) error { return r.serveGoroutines(ctx) }

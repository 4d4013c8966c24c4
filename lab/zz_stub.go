package lab

import "context"

func (j *job) score(ctx context.Context) error { return nil }
func (j *job) summarise() error                { return nil }

package align

package lab

import "context"

// toolEnv makes the test binary the tool: it holds the result folder.
const toolEnv = "VQEVAL_TEST_TOOL"

func tool(context.Context) error { return nil }

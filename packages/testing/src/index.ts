/** The plugin author's test kit: the real host in memory, a chat to write and read in, fake models and tools. */
export { createTestHost, type TestHost, type TestHostOptions } from './create-test-host.ts'
export { TestKitError, type TestKitErrorCode } from './errors.ts'
export type { FakeAnswer, FakeModel, FakeModelRequest, FakeModels } from './models.ts'
export type { EmitOptions, SayOptions, Speaker, TestEvent } from './speaker.ts'
export {
  type BotSpec,
  type ProcessorSpec,
  type StartedTestHost,
  type StartTestHostOptions,
  startTestHost,
} from './start-test-host.ts'
export { type GrantLine, type RunCall, type RunLogLine, readRun, readRunsOf, type TestRun } from './test-run.ts'
export type { FakeTool, FakeTools } from './tools.ts'

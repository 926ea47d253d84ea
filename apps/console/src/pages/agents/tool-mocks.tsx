/** What tools answer in a debug run: a result or an error each; the others answer with samples. */
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Group } from '../../forms/group.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Field, Select, TextArea, TextInput } from '../../parts/field.tsx'
import { mockFaults, type ToolMock } from './debug-request.ts'
import { usePageWords } from './words/words.ts'

export interface ToolMocksProps {
  readonly mocks: readonly ToolMock[]
  /** Names to choose from. */
  readonly tools: readonly string[]
  readonly onMocks: (mocks: readonly ToolMock[]) => void
}

export function ToolMocks({ mocks, tools, onMocks }: ToolMocksProps): ReactNode {
  const words = usePageWords()
  const list = useId()
  const change = (at: number, next: Partial<ToolMock>): void => {
    const before = mocks[at]
    if (before !== undefined) onMocks(mocks.with(at, { ...before, ...next }))
  }
  return (
    <Group label={words.mocks} help={words.mocksAbout}>
      {mocks.map((mock, at) => {
        const faults = mockFaults(mock)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mock is its place
          <div key={at} className="flex flex-col gap-2 rounded-md border border-line p-3">
            <Field label={words.mockTool(at + 1)} error={faults.tool === null ? null : words.mockFaults[faults.tool]}>
              {(control) => (
                <TextInput
                  {...control}
                  placeholder={words.toolName}
                  list={list}
                  value={mock.tool}
                  onChange={({ target }) => change(at, { tool: target.value })}
                  className="font-mono !text-[13px]"
                />
              )}
            </Field>
            <div className="flex items-center gap-1">
              <Select
                aria-label={words.mockAnswers(at + 1)}
                value={mock.answers}
                onValue={(answers) => change(at, { answers, text: '' })}
                choices={(['result', 'error'] as const).map((value) => ({ value, label: words.answers[value] }))}
                className="flex-1"
              />
              <IconButton
                icon={Trash2}
                label={words.removeMock(at + 1)}
                onClick={() => onMocks(mocks.toSpliced(at, 1))}
              />
            </div>
            <Field
              label={mock.answers === 'result' ? words.mockResult : words.mockError}
              error={faults.text === null ? null : words.mockFaults[faults.text]}
            >
              {(control) => (
                <TextArea
                  {...control}
                  rows={2}
                  value={mock.text}
                  onChange={({ target }) => change(at, { text: target.value })}
                  className={mock.answers === 'result' ? 'font-mono !text-xs' : ''}
                />
              )}
            </Field>
          </div>
        )
      })}
      <Button
        size="small"
        icon={Plus}
        className="self-start"
        onClick={() => onMocks([...mocks, { tool: '', answers: 'result', text: '' }])}
      >
        {words.addMock}
      </Button>
      <datalist id={list}>
        {tools.map((tool) => (
          <option key={tool} value={tool} />
        ))}
      </datalist>
    </Group>
  )
}

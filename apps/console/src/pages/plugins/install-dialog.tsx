/** Installs a packed folder of the host; nothing runs before it is approved, which comes next. */
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useStep } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { useWords } from '../../words/words.ts'
import { usePageWords } from './words/words.ts'

export function InstallDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = usePageWords()
  const shell = useWords()
  const navigate = useNavigate()
  const form = useId()
  const [path, setPath] = useState('')
  const install = useStep('installPlugin', {
    quiet: true,
    refreshes: ['listPlugins', 'status'],
    onDone: ({ installation_uuid }) =>
      void navigate({
        to: '/plugins/$installationUuid',
        params: { installationUuid: installation_uuid },
        search: { tab: 'permissions' },
      }),
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (path.trim() !== '' && !install.isPending) install.mutate({ body: { path: path.trim() } })
  }
  return (
    <Dialog
      title={words.installTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.parts.cancel}</Button>
          <Button kind="primary" type="submit" form={form} busy={install.isPending} disabled={path.trim() === ''}>
            {words.install}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field label={words.folder} help={words.folderHelp} error={install.error?.message ?? null}>
          {(control) => (
            <TextInput
              {...control}
              autoFocus
              maxLength={200}
              placeholder="/srv/plugins/weather-1.2.0"
              value={path}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

/** Sets or changes the password of who is signed in. What the host refuses is said at the field that it is about. */
import { PASSWORD_MIN } from '@runbound/api'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useRead, useStep } from '../../data/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Field, TextInput } from '../../parts/field.tsx'
import { Card, Section } from '../../parts/page.tsx'
import { SkeletonRows } from '../../parts/states.tsx'
import { usePageWords } from './words/words.ts'

export function Password(): ReactNode {
  const words = usePageWords()
  const me = useRead('me', {})
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const save = useStep('setPassword', {
    refreshes: ['me', 'listSessions'],
    done: words.passwordSaved,
    quiet: true,
    onDone: () => {
      setCurrent('')
      setPassword('')
    },
  })
  const has = me.data?.account?.has_password ?? false
  const at = save.error?.at ?? null

  function submit(event: FormEvent): void {
    event.preventDefault()
    save.mutate({ body: { password, ...(has ? { current } : {}) } })
  }

  return (
    <Section title={words.password} about={has ? words.passwordAbout : words.noPasswordAbout}>
      <Card className="p-4">
        {me.isPending ? (
          <SkeletonRows rows={1} />
        ) : (
          <form className="grid items-start gap-4 wide:grid-cols-2" onSubmit={submit}>
            {/* Tells password managers whose password it is. */}
            <input
              type="hidden"
              name="username"
              autoComplete="username"
              value={me.data?.account?.name ?? ''}
              readOnly
            />
            {has && (
              <Field label={words.currentPassword} error={at === 'body.current' ? save.error?.message : null}>
                {(control) => (
                  <TextInput
                    {...control}
                    type="password"
                    autoComplete="current-password"
                    required
                    value={current}
                    onChange={(event) => setCurrent(event.target.value)}
                  />
                )}
              </Field>
            )}
            <Field
              label={words.newPassword}
              help={words.newPasswordHelp}
              error={save.error !== null && at !== 'body.current' ? save.error.message : null}
            >
              {(control) => (
                <TextInput
                  {...control}
                  type="password"
                  autoComplete="new-password"
                  required
                  minLength={PASSWORD_MIN}
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
            <div className="wide:col-span-2">
              <Button
                type="submit"
                kind="primary"
                busy={save.isPending}
                disabled={password.length < PASSWORD_MIN || (has && current === '')}
              >
                {has ? words.changePassword : words.setPassword}
              </Button>
            </div>
          </form>
        )}
      </Card>
    </Section>
  )
}

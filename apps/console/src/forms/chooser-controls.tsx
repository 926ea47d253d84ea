/** Controls that choose among what the host has: bots, plugins; and what is only shown: files, addresses, links. */
import type { ReactNode } from 'react'
import { useRead } from '../data/queries.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { type ControlProps, textOf } from './control.ts'
import { Group } from './group.tsx'
import { isObject, listOf } from './json.ts'
import { SelectControl } from './text-controls.tsx'
import { useFormWords } from './words/words.ts'

export function BotControl(props: ControlProps): ReactNode {
  const { data } = useRead('listBots', {})
  const options = (data?.items ?? []).map((bot) => ({ value: bot.bot_uuid, label: `${bot.name} (${bot.platform})` }))
  return <SelectControl {...props} item={{ ...props.item, options }} />
}

export function PluginControl(props: ControlProps): ReactNode {
  const { data } = useRead('listPlugins', {})
  const options = [...new Set((data?.items ?? []).map((plugin) => plugin.plugin_id))].map((id) => ({
    value: id,
    label: id,
  }))
  return <SelectControl {...props} item={{ ...props.item, options }} />
}

/** Files are uploaded elsewhere; here one sees that they are there, and can take them away. */
export function FileControl({ item, value, onValue, error, disabled }: ControlProps): ReactNode {
  const words = useFormWords()
  const many = item.type === 'array[file]'
  const files = (many ? listOf(value) : [value]).filter(isObject)
  const help = [item.help, files.length === 0 ? words.fileNone : words.fileKept].filter((text) => text !== null)
  return (
    <Group label={item.label} error={error} required={item.required} help={help.join(' ')}>
      {files.map((file, at) => (
        <div key={textOf(file.file_key ?? null)} className="flex min-h-8 items-center gap-2">
          <code className="min-w-0 truncate">{textOf(file.file_key ?? null)}</code>
          <Badge>{textOf(file.mimetype ?? null)}</Badge>
          <Button
            size="small"
            kind="quiet"
            disabled={disabled}
            onClick={() => onValue(many ? files.toSpliced(at, 1) : null)}
          >
            {words.removeFile}
          </Button>
        </div>
      ))}
    </Group>
  )
}

/** An address to copy, code to embed, a link: nothing of it is saved. */
export function ShownControl({ item }: ControlProps): ReactNode {
  const words = useFormWords()
  const help = item.help === null ? {} : { help: item.help }
  const isLink = item.type === 'download-link' && item.url !== null && /^https?:\/\//.test(item.url)
  return (
    <Group label={item.label} {...help}>
      {item.url === null ? (
        <p className="text-ink-soft">{words.nothingChosen}</p>
      ) : isLink ? (
        <a href={item.url} rel="noreferrer" target="_blank" className="break-all text-accent underline">
          {item.url}
        </a>
      ) : (
        <div className="flex items-center gap-1">
          <code className="min-w-0 break-all">{item.url}</code>
          <CopyButton text={item.url} />
        </div>
      )}
    </Group>
  )
}

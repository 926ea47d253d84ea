/** What can be said of every processor, whatever its Runner: as fields of a form. */
import type { FormItem } from '../../forms/items.ts'
import type { PageWords } from './words/words.ts'

/** Names are those of the set-up file. */
export function optionItems(words: PageWords): readonly FormItem[] {
  const field = (name: keyof PageWords['options'], type: string, more: Partial<FormItem> = {}): FormItem => ({
    name,
    type,
    label: words.options[name].label,
    help: words.options[name].help,
    required: false,
    default: null,
    options: [],
    allowCustom: false,
    showIf: null,
    disableIf: null,
    disabledWhy: null,
    url: null,
    ...more,
  })
  return [
    field('sentence', 'text'),
    field('after_crash', 'select', {
      options: (['retry', 'report'] as const).map((value) => ({ value, label: words.afterCrash[value] })),
    }),
    field('deadline_seconds', 'number'),
    field('max_age_seconds', 'number'),
    field('prompt', 'prompt-editor'),
  ]
}

import { createElement as h } from 'react'

// What public pages of several features are made of.

/** Terms with what they are; those without are left out. */
export const facts = (all: readonly (readonly [string, string])[]) =>
  h(
    'dl',
    null,
    all.flatMap(([term, value]) => (value === '' ? [] : [h('dt', { key: term }, term), h('dd', { key: `${term}:` }, value)])),
  )

/** A field with its label, holding what was sent before. */
export const textField = (form: URLSearchParams, name: string, label: string, more: Record<string, unknown>) => [
  h('label', { key: `${name}-label`, htmlFor: name }, label),
  h('input', { key: name, id: name, name, defaultValue: form.get(name) ?? '', ...more }),
]

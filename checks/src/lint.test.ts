import { ESLint } from 'eslint'
import ts from 'typescript-eslint'
import { expect, test } from 'vitest'
import { root } from './repository.ts'

/** Rules that know types only look at files of the project, so each violation is read as if it stood in one of these. */
const api = 'apps/api/src/platform/records/new-id.ts'
const config = 'apps/api/src/platform/config.ts'
const contract = 'packages/contract/src/shapes.ts'
const db = 'packages/db/src/database.ts'
const web = 'apps/web/src/platform/api/problem-state.tsx'
const places = [api, config, contract, db, web]

const everywhere = places
const server = [api, config, contract, db]

/** A violation of each rule; of some there is no way but to break two at once. `says` tells rules of one name apart. */
const planted: { rules: string[]; says?: string; code: string; in: string[] }[] = [
  { rules: ['@typescript-eslint/consistent-type-assertions'], code: 'export const a1 = JSON.parse("1") as number', in: everywhere },
  { rules: ['@typescript-eslint/consistent-type-imports'], code: 'import { Stats } from "node:fs"\nexport type A2 = Stats', in: server },
  {
    rules: ['@typescript-eslint/consistent-type-imports'],
    code: 'import { ReactNode } from "react"\nexport type A2 = ReactNode',
    in: [web],
  },
  { rules: ['@typescript-eslint/switch-exhaustiveness-check'], code: 'export const a3 = (x: "a" | "b") => { switch (x) { case "a": return 1 } return 2 }', in: everywhere }, // prettier-ignore
  { rules: ['no-console'], code: 'console.log(1)', in: server },
  { rules: ['no-console'], code: 'console.info(1)', in: [web] },
  { rules: ['no-control-regex'], code: 'export const a4 = /\\x00/', in: everywhere },
  { rules: ['no-empty-pattern'], code: 'export const a5 = ({}: object) => 1', in: everywhere },
  { rules: ['require-yield'], code: 'export function* a6() { return 1 }', in: everywhere },
  { rules: ['eqeqeq'], code: 'export const a7 = (x: number) => x == 1', in: everywhere },
  { rules: ['no-eval', 'security/detect-eval-with-expression'], code: 'export const a8 = (x: string): unknown => eval(x)', in: everywhere },
  { rules: ['no-new-func', '@typescript-eslint/no-implied-eval'], code: 'export const a9 = new Function("return 1")', in: everywhere },

  { rules: ['security/detect-bidi-characters'], code: 'export const b1 = "a\u202eb"', in: everywhere },
  { rules: ['security/detect-invisible-characters'], code: 'export const b2 = "a\u3164b"', in: everywhere },
  { rules: ['security/detect-buffer-noassert'], code: 'export const b3 = (x: { readUInt8: (a: number, b: boolean) => number }) => x.readUInt8(0, true)', in: everywhere }, // prettier-ignore
  { rules: ['security/detect-disable-mustache-escape'], code: 'export const b4 = (x: { escapeMarkup: boolean }) => { x.escapeMarkup = false }', in: everywhere }, // prettier-ignore
  { rules: ['security/detect-new-buffer'], code: 'declare const Buffer: new (x: unknown) => object\nexport const b5 = (x: unknown) => new Buffer(x)', in: everywhere }, // prettier-ignore
  { rules: ['security/detect-pseudoRandomBytes'], code: 'export const b6 = (x: { pseudoRandomBytes: (n: number) => string }) => x.pseudoRandomBytes(8)', in: everywhere }, // prettier-ignore
  { rules: ['redos/no-vulnerable'], code: 'export const b7 = /^(a|a)*$/', in: everywhere },
  { rules: ['redos/no-vulnerable'], code: 'export const b8 = /^(\\w+\\s?)*$/', in: everywhere },

  { rules: ['no-restricted-syntax'], says: 'Name what you export', code: 'export default 1', in: everywhere },
  { rules: ['no-restricted-syntax'], says: 'Use a union', code: 'export enum C2 { One }', in: everywhere },
  { rules: ['no-restricted-syntax'], says: 'Functions and plain objects', code: 'export class C3 { one = 1 }', in: everywhere },
  { rules: ['no-restricted-syntax'], says: 'only had through asActor', code: 'export const c4 = (apiPool: { query: (x: string) => string }) => apiPool.query("select 1")', in: [api, config, contract, web] }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'Broken hash', code: 'export const c5 = (createHash: (x: string) => unknown) => createHash("md5")', in: everywhere }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'unauthenticated cipher', code: 'export const c6 = (createCipheriv: (x: string) => unknown) => createCipheriv("aes-256-ecb")', in: everywhere }, // prettier-ignore
  {
    rules: ['no-restricted-syntax'],
    says: 'A pattern made of a variable',
    code: 'export const c7 = (x: string) => new RegExp(x)',
    in: everywhere,
  },
  { rules: ['no-restricted-syntax'], says: 'Values go into SQL', code: 'export const c8 = (sql: { raw: (x: string) => unknown }, x: string) => sql.raw(`select \'${x}\'`)', in: [api, config, contract] }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'Values go into SQL', code: 'export const c9 = (db: { query: (x: string) => unknown }, x: string) => db.query("select " + x)', in: [api, config, contract] }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'read and checked once', code: 'export const d1 = process.env', in: [api, contract, db] },
  { rules: ['no-restricted-syntax'], says: 'whole minor units: z.int', code: 'export const d2 = (z: { number: () => { min: (x: number) => unknown } }) => ({ feeAmount: z.number().min(0) })', in: server }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'off by one', code: 'export const d3 = parseFloat("1.1")', in: server },
  { rules: ['no-restricted-syntax'], says: 'off by one', code: 'export const d4 = (x: number) => x.toFixed(2)', in: server },

  { rules: ['no-restricted-properties'], says: 'Ids, tokens', code: 'export const e1 = Math.random()', in: everywhere },
  {
    rules: ['no-restricted-properties'],
    says: 'leaves the browser',
    code: 'export const e2 = () => navigator.sendBeacon("/x")',
    in: [web],
  },
  { rules: ['no-restricted-imports'], says: 'starts no programs', code: 'export { spawn } from "node:child_process"', in: server },
  { rules: ['no-restricted-imports'], says: 'child_process', code: 'export { exec } from "child_process"', in: server },
  { rules: ['no-restricted-globals'], says: 'fetch', code: 'export const e5 = () => fetch("https://example.org")', in: everywhere },
  {
    rules: ['no-restricted-globals'],
    says: 'WebSocket',
    code: 'export const e6 = () => new WebSocket("wss://example.org")',
    in: everywhere,
  },
  { rules: ['no-restricted-globals'], says: 'EventSource', code: 'export const e7 = (x: unknown) => x instanceof EventSource', in: [web] },
  { rules: ['no-restricted-globals'], says: 'XMLHttpRequest', code: 'export const e8 = () => new XMLHttpRequest()', in: [web] },

  {
    rules: ['no-unsanitized/method'],
    code: 'export const f1 = (x: Element, y: string) => x.insertAdjacentHTML("beforeend", y)',
    in: [web],
  },
  { rules: ['no-unsanitized/property', 'no-restricted-syntax'], says: 'one rich-text component', code: 'export const f2 = (x: Element, y: string) => { x.innerHTML = y }', in: [web] }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'one rich-text component', code: 'export const F3 = ({ x }: { x: string }) => <p dangerouslySetInnerHTML={{ __html: x }} />', in: [web] }, // prettier-ignore
  { rules: ['no-restricted-syntax'], says: 'contact-links.ts', code: 'export const F5 = (x: string) => `mailto:${x}`', in: [web] },
  { rules: ['no-restricted-syntax'], says: 'through <Trans>', code: 'export const F4 = () => <p>Hello</p>', in: [web] },
  { rules: ['no-restricted-syntax'], says: 'through t`…`', code: 'export const F5 = () => <img alt="Picture" />', in: [web] },
  { rules: ['no-restricted-syntax'], says: "The web app's settings", code: 'export const f6 = import.meta.env', in: [web] },
  { rules: ['no-restricted-syntax'], says: 'which origin', code: 'export const f7 = (x: Window) => x.postMessage(1, "*")', in: [web] },
  { rules: ['react-hooks/rules-of-hooks'], code: 'declare const useOne: () => number\nexport const F8 = ({ x }: { x: boolean }) => (x ? useOne() : 1)', in: [web] }, // prettier-ignore
  { rules: ['react-hooks/exhaustive-deps'], code: 'import { useEffect } from "react"\nexport const F9 = ({ x }: { x: () => void }) => { useEffect(() => { x() }, []); return null }', in: [web] }, // prettier-ignore
  { rules: ['lingui/t-call-in-function'], code: 'import { t } from "@lingui/core/macro"\nexport const g1 = t`Hello`', in: [web] },
  { rules: ['lingui/no-single-tag-to-translate', 'lingui/no-single-variables-to-translate'], code: 'export const G2 = ({ x }: { x: string }) => <Trans>{x}</Trans>', in: [web] }, // prettier-ignore
  { rules: ['lingui/no-single-tag-to-translate'], code: 'declare const Trans: (x: object) => null\nexport const G3 = () => <Trans><b>Hello</b></Trans>', in: [web] }, // prettier-ignore
  { rules: ['lingui/no-trans-inside-trans'], code: 'export const G4 = () => <Trans>One <Trans>two</Trans></Trans>', in: [web] },
]

const eslint = new ESLint({ cwd: root })

test.each(places)('every violation planted in %s is found by its rule and no other', { timeout: 120_000 }, async (file) => {
  const here = planted.filter((one) => one.in.includes(file))
  const starts = here.map((_, nth) => here.slice(0, nth).reduce((lines, { code }) => lines + code.split('\n').length, 1))
  const [result] = await eslint.lintText(here.map(({ code }) => code).join('\n'), { filePath: file })
  const unlike = here.flatMap(({ rules, says = '', code }, nth) => {
    const [from, to] = [starts[nth] ?? 0, starts[nth + 1] ?? Infinity]
    const found = result?.messages.filter(({ line }) => line >= from && line < to) ?? []
    const names = [...new Set(found.map(({ ruleId }) => ruleId ?? 'cannot be read'))].sort()
    const isSo = names.join() === rules.toSorted().join() && found.some(({ message }) => message.includes(says))
    return isSo ? [] : [`${code}: ${found.map(({ ruleId, message }) => `${ruleId ?? ''} ${message}`).join('; ') || 'nothing'}`]
  })
  expect(unlike).toEqual([])
})

test('every rule beyond those of TypeScript is planted against', async () => {
  const usual = new Set(ts.configs.strictTypeChecked.flatMap(({ rules = {} }) => Object.keys(rules)))
  for (const file of places) {
    const { rules } = (await eslint.calculateConfigForFile(file)) as { rules: Record<string, [number, ...unknown[]]> }
    const here = planted.filter((one) => one.in.includes(file))
    const against = (rule: string) => here.filter((one) => one.rules.includes(rule)).length
    const unplanted = Object.entries(rules).filter(([rule, [severity, ...options]]) => {
      if (severity === 0 || usual.has(rule)) return false
      return against(rule) < (rule === 'no-restricted-syntax' ? options.length : 1)
    })
    expect({ file, unplanted: unplanted.map(([rule]) => rule) }).toEqual({ file, unplanted: [] })
  }
})

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import type { Failure } from './failures.ts'
import { root } from './repository.ts'

/** What a run of Vitest came to. */
export type TestOutcome = { passed: number; failures: Failure[] }

/** A file that could not be loaded or did not end, and an error outside of every test, are one failure each beside the failed tests. */
export function testOutcome(modules: readonly TestModule[], unhandled: readonly SerializedError[]): TestOutcome {
  const failures = modules.flatMap((module) => {
    const file = path.relative(root, module.moduleId)
    const tests = [...module.children.allTests('failed')].map((test) => ({
      name: `${file} > ${test.fullName}`,
      message: text(test.result().errors ?? []),
    }))
    if (tests.length > 0 || !isBroken(module)) return tests
    const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
    return [{ name: file, message: text(errors) || 'The file did not run to its end.' }]
  })
  const passed = modules.reduce((sum, module) => sum + [...module.children.allTests('passed')].length, 0)
  return { passed, failures: [...failures, ...unhandled.map((error) => ({ name: 'outside of every test', message: text([error]) }))] }
}

const isBroken = (module: TestModule) => !['passed', 'skipped'].includes(module.state())

/** The messages, and the place in our own code where each came from. */
function text(errors: readonly SerializedError[]) {
  return errors
    .map(({ message, diff, stack }) => {
      const place = stack?.split('\n').find((line) => /^\s+at /.test(line) && !line.includes('node_modules') && !line.includes('node:'))
      return [message, place?.trim(), diff].filter(Boolean).join('\n')
    })
    .join('\n')
}

/** Vitest's reporter that leaves the outcome in the file that OUTCOME_FILE names. */
function outcomeReporter(): Reporter {
  return {
    onTestRunEnd: (modules, unhandled) =>
      writeFileSync(process.env['OUTCOME_FILE'] ?? 'outcome.json', JSON.stringify(testOutcome(modules, unhandled))),
  }
}
// Vitest asks for the default export of a reporter's file.
export { outcomeReporter as default }

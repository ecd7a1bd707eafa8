import { compileMessage } from '@lingui/message-utils/compileMessage'
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'

type Node = { type: string; leadingComments?: { value: string }[] | null }
type Property = Node & { key: { name?: string }; value: Node & { value: unknown } }
type Literal = Node & { properties: Property[] }
type Program = { traverse: (visitor: { ObjectExpression: (path: { node: Literal }) => void }) => void }
type Babel = { types: { valueToNode: (value: unknown) => Property['value'] } }

// Lingui looks in the working directory, but tests also start from the repository's root.
process.env['LINGUI_CONFIG'] ??= `${import.meta.dirname}/../lingui.config.ts`

const macros = linguiTransformerBabelPreset({ descriptorFields: 'message' })

/** The macros of Lingui; messages stay beside the code that shows them, so English has no catalogue and travels with its page. */
export const messages = macros

/**
 * Replaces the text of each message by its parsed form, as a catalogue would hold it. Without this the parser of plural
 * rules and placeholders would be part of the first page.
 */
export const compiledMessages = {
  preset: () => ({ plugins: [compileInPlace] }),
  rolldown: macros.rolldown,
}

function compileInPlace({ types }: Babel) {
  return {
    name: 'guildhall-compiled-messages',
    visitor: {
      Program: {
        // After the macros, which work on entry.
        exit(program: Program) {
          program.traverse({
            ObjectExpression({ node }) {
              if (!node.leadingComments?.some(({ value }) => value.includes('i18n'))) return
              const message = node.properties.find(({ key }) => key.name === 'message')
              if (message?.value.type === 'StringLiteral') message.value = types.valueToNode(compileMessage(String(message.value.value)))
            },
          })
        },
      },
    },
  }
}

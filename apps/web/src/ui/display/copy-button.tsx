import { Button, CopyButton as Copied } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/** Copies a text, and says for a moment that it did. */
export const CopyButton = ({ value, children }: { value: string; children: ReactNode }) => (
  <Copied value={value}>
    {({ copied, copy }) => (
      <Button variant="default" onClick={copy}>
        {copied ? <Trans>Copied</Trans> : children}
      </Button>
    )}
  </Copied>
)

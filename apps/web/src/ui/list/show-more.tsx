import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

type Query = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/** Fetches the next page of a list that is not a DataTable; nothing once all of it is there. */
export const ShowMore = ({ query, children = <Trans>Show more</Trans> }: { query: Query; children?: ReactNode }) =>
  query.hasNextPage && (
    <div>
      <Button variant="subtle" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </div>
  )

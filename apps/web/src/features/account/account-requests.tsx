import { Anchor } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { AnswerQueue } from '../../platform/activity/answer-queue.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { Section } from '../../ui/page/page.tsx'
import { useAccounts, useAccountsChanged } from './account-api.ts'
import classes from './account.module.css'

/** Who asked for access, to approve or decline. */
export function AccountRequests({ onOpen }: { onOpen: (accountId: string) => void }) {
  const { accounts } = useApi().data.account
  const changed = useAccountsChanged()
  const requests = useAccounts('', 'pending_link')
  const rows = requests.data?.items ?? []
  // One that was answered stays here with its Undo until it is sent.
  if (rows.length === 0) return null
  return (
    <Section title={t`Awaiting approval`}>
      <AnswerQueue
        label={t`Awaiting approval`}
        className={classes['list']}
        rows={rows}
        rowId={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        answers={({ id, version, name, email }) => {
          const who = name || email || t`Without a name`
          const input = { accountId: id }
          const failed = t`The request could not be answered.`
          return [
            {
              label: t`Approve`,
              name: t`Approve ${who}`,
              outcome: t`${who} approved`,
              run: (context) => accounts.activate.call(input, { context: { ...context, ifMatch: version } }).finally(changed),
              failed,
            },
            {
              label: t`Decline`,
              name: t`Decline ${who}`,
              outcome: t`${who} declined`,
              run: (context) => accounts.decline.call(input, { context: { ...context, ifMatch: version } }).finally(changed),
              failed,
            },
          ]
        }}
      >
        {({ id, name, email, accessMessage, createdAt }, tools) => (
          <div className={classes['item']}>
            <div className={classes['words']}>
              <Anchor component="button" type="button" onClick={() => onOpen(id)}>
                {name || email || t`Without a name`}
              </Anchor>
              <span className={classes['minor']}>
                {email} · <RelativeTime at={createdAt} />
              </span>
              {accessMessage && <p className={classes['message']}>{accessMessage}</p>}
            </div>
            {tools}
          </div>
        )}
      </AnswerQueue>
      <ShowMore query={requests} />
    </Section>
  )
}

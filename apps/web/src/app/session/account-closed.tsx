import { Button, Group, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { IconLock, IconMailOpened } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useAuth } from '../../platform/auth/auth-context.tsx'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import type { ApiProblem } from '../../platform/api/problem.ts'
import { problemText } from '../../platform/api/problem-text.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { OpenFrame } from '../shell/open-frame.tsx'

/** Signed in at the provider, but this organisation lets the account do nothing: not invited, waiting to be let in, or suspended. */
export function AccountClosed({ problem }: { problem: ApiProblem }) {
  const auth = useAuth()
  const { account } = useApi().data
  const cache = useQueryClient()
  const lookAgain = () => cache.invalidateQueries({ queryKey: account.me.key() })
  const isUnknown = problem.reason === 'no_account'
  // Who comes from an invitation's link is sent here by way of the sign-in, with what the link ends in.
  const { invitation } = useSearch({ strict: false })
  usePageTitle(t`No access`)
  if (invitation !== undefined && problem.reason !== 'suspended') {
    return (
      <OpenFrame>
        <Page>
          <AcceptInvitation token={invitation} onAccepted={lookAgain} />
        </Page>
      </OpenFrame>
    )
  }
  return (
    <OpenFrame>
      <Page>
        <PageHeader title={isUnknown ? t`Ask for access` : t`No access with this account`} />
        <EmptyState
          icon={<IconLock size={32} stroke={1.5} />}
          title={auth.profile().email ?? auth.profile().name ?? t`This account`}
          action={
            <Group>
              {problem.reason === 'pending' && (
                <Button onClick={() => void lookAgain()}>
                  <Trans>Look again</Trans>
                </Button>
              )}
              <Button variant={isUnknown ? 'default' : 'filled'} onClick={() => void auth.signOut()}>
                <Trans>Sign out</Trans>
              </Button>
              <Button component={AppLink} href="/contact" variant="default">
                <Trans>Contact</Trans>
              </Button>
            </Group>
          }
        >
          {problem.message}
        </EmptyState>
        {isUnknown && <AccessForm onAsked={lookAgain} />}
      </Page>
    </OpenFrame>
  )
}

function AcceptInvitation({ token, onAccepted }: { token: string; onAccepted: () => Promise<void> }) {
  const auth = useAuth()
  const accept = useMutation({ ...useApi().data.account.acceptInvitation.mutationOptions(), onSuccess: onAccepted })
  const account = auth.profile().email ?? auth.profile().name ?? t`this account`
  return (
    <>
      <PageHeader title={t`Accept invitation`} />
      <EmptyState
        icon={<IconMailOpened size={32} stroke={1.5} />}
        title={account}
        action={
          <Group>
            <Button loading={accept.isPending} onClick={() => accept.mutate({ token })}>
              <Trans>Accept invitation</Trans>
            </Button>
            <Button variant="default" onClick={() => void auth.signOut()}>
              <Trans>Sign out</Trans>
            </Button>
          </Group>
        }
      >
        {accept.isError ? (
          <span role="alert">{problemText(accept.error)}</span>
        ) : (
          <Trans>You will sign in with this account from now on.</Trans>
        )}
      </EmptyState>
    </>
  )
}

function AccessForm({ onAsked }: { onAsked: () => Promise<void> }) {
  const [message, setMessage] = useState('')
  const ask = useMutation({ ...useApi().data.account.requestAccess.mutationOptions(), onSuccess: onAsked })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate(message.trim() ? { message: message.trim() } : {})
      }}
    >
      <Textarea
        label={t`Who are you?`}
        description={t`For the administrators, who decide; for example your chapter or who can vouch for you.`}
        rows={4}
        maxLength={500}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        error={ask.isError && problemText(ask.error)}
      />
      <Button type="submit" mt="sm" loading={ask.isPending}>
        <Trans>Ask for access</Trans>
      </Button>
    </form>
  )
}

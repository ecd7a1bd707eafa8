import { Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconUserOff } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { acting } from '../../platform/api/acting.ts'
import { useApi } from '../../platform/api/api.tsx'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { usePicture } from '../../platform/records/picture.tsx'
import { setPreference, usePreferences } from '../../platform/session/preferences.ts'
import { useMe } from '../../platform/session/session.ts'
import { DetailHeader, PathTabs } from '../../ui/page/detail-header.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { PictureDialog } from '../files/files-public.tsx'
import { PersonInvoices } from '../finance/finance-public.tsx'
import { OwnGiving } from '../fundraising/fundraising-public.tsx'
import { MyMembership, PersonTransfers } from '../membership/membership-public.tsx'
import { MyTopics } from '../communication/communication-public.tsx'
import { NotificationPreferences } from '../notifications/notifications-public.tsx'
import { OwnOpenInvoices, PaymentReturn, SavedCards } from '../payments/payments-public.tsx'
import { Family } from '../relationships/relationships-public.tsx'
import { OwnCard, OwnData, OwnPerson, OwnPublicName } from '../people/people-public.tsx'
import { AppearanceChoices } from '../../platform/session/appearance-choices.tsx'
import classes from './account.module.css'

export const route = createLazyRoute('/signed-in/profile')({ component: ProfilePage })

const allSections = ['about', 'contact', 'membership', 'giving', 'card', 'family', 'preferences', 'notifications', 'security'] as const
type ProfileSection = (typeof allSections)[number]
/** What is the account's own is not there while it acts for somebody else. */
const actingSections: readonly ProfileSection[] = ['about', 'contact', 'membership', 'giving', 'card', 'preferences', 'notifications']

export function ProfilePage() {
  usePageTitle(t`Profile`)
  const { section, join, paid, unpaid } = route.useSearch()
  const returned = paid ?? unpaid
  const navigate = route.useNavigate()
  const isActing = acting.use() !== null
  const sections = isActing ? actingSections : allSections
  const { data: me } = useMe()
  const active = sections.find((key) => key === section) ?? (join || returned ? 'membership' : 'about')
  const words = sectionWords()
  const picture = usePicture(me?.person?.pictureId, 'large')
  const [picturing, setPicturing] = useState(false)
  const api = useApi()
  const client = useQueryClient()
  if (!me) {
    return (
      <Page>
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      </Page>
    )
  }
  return (
    <Page>
      <DetailHeader
        name={me.person?.displayName ?? me.account.name}
        avatarSrc={picture}
        onAvatar={me.person ? () => setPicturing(true) : undefined}
        facts={[isActing ? '' : (me.account.email ?? ''), me.person?.homeChapter?.name ?? me.organisation.name].filter(Boolean)}
      >
        <PathTabs label={t`Sections of the profile`}>
          {sections.map((key) => (
            <Link
              key={key}
              to="/profile"
              search={searchOf(key)}
              activeOptions={{ exact: true }}
              aria-current={key === active ? 'page' : undefined}
              replace
            >
              {words[key]}
            </Link>
          ))}
        </PathTabs>
      </DetailHeader>
      {picturing && me.person && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setPicturing(false)}
            recordType="person"
            recordId={me.person.id}
            pictureId={me.person.pictureId}
            name={me.person.displayName}
            onChanged={() =>
              Promise.all([
                client.invalidateQueries({ queryKey: api.data.account.me.key() }),
                client.invalidateQueries({ queryKey: api.data.people.key() }),
              ])
            }
          />
        </Suspense>
      )}
      <div className={classes['stack']}>
        {(active === 'about' || active === 'contact' || active === 'giving' || active === 'card') && !me.person && (
          <EmptyState icon={<IconUserOff size={32} stroke={1.5} />} title={t`Your account is not linked to a person`}>
            <Trans>The organisation’s office can link it; then your data shows here.</Trans>
          </EmptyState>
        )}
        {(active === 'about' || active === 'contact') && me.person && (
          <Suspense
            fallback={
              <Loading label={t`Loading`}>
                <SkeletonLines count={8} />
              </Loading>
            }
          >
            <OwnPerson personId={me.person.id} part={active} onPart={(part) => void navigate({ search: searchOf(part), replace: true })} />
          </Suspense>
        )}
        {active === 'contact' && me.person && (
          <Suspense>
            <OwnPublicName personId={me.person.id} />
          </Suspense>
        )}
        {active === 'card' && me.person && (
          <Suspense
            fallback={
              <Loading label={t`Loading`}>
                <SkeletonLines count={8} />
              </Loading>
            }
          >
            <OwnCard personId={me.person.id} />
            <OwnPublicName personId={me.person.id} />
          </Suspense>
        )}
        {active === 'membership' && (
          <Suspense
            fallback={
              <Loading label={t`Loading`}>
                <SkeletonLines count={4} />
              </Loading>
            }
          >
            {returned && (
              <PaymentReturn
                key={returned}
                paymentId={returned}
                cameBack={paid ? 'paid' : 'unpaid'}
                onDismiss={() => void navigate({ search: { section: 'membership' }, replace: true })}
              />
            )}
            <MyMembership
              joining={join === 1}
              onJoin={(joining) => void navigate({ search: { section: 'membership', ...(joining && { join: 1 }) }, replace: true })}
            />
            {me.person && <OwnOpenInvoices personId={me.person.id} />}
            {me.person && <PersonTransfers person={me.person} mine />}
            {me.person && <PersonInvoices personId={me.person.id} />}
            {me.person && !isActing && <SavedCards />}
          </Suspense>
        )}
        {active === 'giving' && me.person && (
          <Suspense
            fallback={
              <Loading label={t`Loading`}>
                <SkeletonLines count={8} />
              </Loading>
            }
          >
            <OwnGiving personId={me.person.id} />
          </Suspense>
        )}
        {active === 'family' && (
          <Suspense fallback={<SkeletonLines count={4} />}>
            <Family />
          </Suspense>
        )}
        {active === 'preferences' && <Preferences />}
        {active === 'notifications' && (
          <Suspense fallback={<SkeletonLines count={4} />}>
            {me.person && <MyTopics personId={me.person.id} />}
            {!isActing && <NotificationPreferences />}
          </Suspense>
        )}
        {active === 'security' && <Security lastLoginAt={me.account.lastLoginAt} email={me.account.email} />}
        {active === 'security' && me.person && (
          <Suspense>
            <OwnData personId={me.person.id} />
          </Suspense>
        )}
      </div>
    </Page>
  )
}

const searchOf = (section: ProfileSection) => (section === 'about' ? {} : { section })

function Preferences() {
  const { shortcuts } = usePreferences()
  return (
    <Section title={t`Preferences`}>
      <div className={classes['stack']}>
        <AppearanceChoices />
        <Switch
          label={t`Single-letter keyboard shortcuts`}
          description={t`Such as J and K in lists, or C to create. Ctrl+K always works.`}
          checked={shortcuts}
          onChange={(event) => setPreference('shortcuts', event.currentTarget.checked)}
        />
        <p className={classes['none']}>
          <Trans>These choices are kept on this device.</Trans>
        </p>
      </div>
    </Section>
  )
}

const Security = ({ lastLoginAt, email }: { lastLoginAt: string | null; email: string | null }) => (
  <Section title={t`Signing in`}>
    <FactList>
      <Fact label={t`Account`}>{email}</Fact>
      <Fact label={t`Last sign-in`}>{lastLoginAt && <RelativeTime at={lastLoginAt} />}</Fact>
    </FactList>
    <p className={classes['none']}>
      <Trans>Password and second factor are kept by your sign-in service; change them there.</Trans>
    </p>
  </Section>
)

const sectionWords = (): Record<ProfileSection, string> => ({
  about: t`About`,
  contact: t`Contact`,
  membership: t`Membership`,
  giving: t`Giving`,
  card: t`Member card`,
  family: t`Family`,
  preferences: t`Preferences`,
  notifications: t`Notifications`,
  security: t`Sign-in and data`,
})

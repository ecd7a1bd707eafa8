import { Switch } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Suspense, useState } from 'react'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { inOrder, openTo } from '../../../platform/navigation/sections.tsx'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { Section, TwoColumns } from '../../../ui/page/page.tsx'
import { SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { FieldSections } from '../../fields/fields-public.tsx'
import { PersonNotes } from '../../notes/notes-public.tsx'
import classes from '../people.module.css'
import type { HistoryEntry, Person } from '../people-api.ts'
import { HistoryLine } from '../history/history-line.tsx'
import { PersonContactSection } from './person-contact.tsx'
import { PersonExternalIds } from './person-external-ids.tsx'
import { PersonFacts } from './person-facts.tsx'
import { PersonOfficeNote, PersonPrivateSection } from './person-private.tsx'
import { PersonTags } from './person-tags.tsx'
import { GroupRows, HoldingRows, MembershipRows } from './person-rows.tsx'
import { mayChangeField, usePersonEditor, usePersonFields } from './use-person-editor.ts'
import { useProvenance } from '../history/use-provenance.tsx'

type Props = { person: Person; recentChanges: readonly HistoryEntry[] }

/** The person at a glance: where they belong, what changed, and all facts to correct in place. */
export function PersonOverview({ person, recentChanges }: Props) {
  const editor = usePersonEditor(person)
  const fields = usePersonFields(person.id)
  const [sourced, setSourced] = useState(false)
  const provenance = useProvenance(person.id, sourced)
  const parts = openTo(inOrder(useSlot('personParts')), { person }, useRights())
  const memberships = person.memberships.filter(({ when }) => when !== 'past')
  const positions = person.positions.filter(({ when }) => when !== 'past')
  const groups = person.groups.filter(({ when, status }) => when !== 'past' && status !== 'declined' && status !== 'removed')
  const tab = (name: string) => ({ to: '/person/$personId/{-$tab}', params: { personId: person.id, tab: name } }) as const
  return (
    <TwoColumns
      aside={
        <>
          <Section
            title={t`Facts`}
            actions={
              person.may.seeHistory && (
                <Switch
                  size="xs"
                  label={t`Who changed it`}
                  labelPosition="left"
                  checked={sourced}
                  onChange={(event) => setSourced(event.currentTarget.checked)}
                />
              )
            }
          >
            <PersonFacts person={person} editor={editor} provenance={sourced ? provenance : undefined} />
          </Section>
          <FieldSections recordType="people" name={person.displayName} record={person} {...fields} may={mayChangeField(person)} />
          <PersonExternalIds person={person} />
          {parts.map(({ key, content: Part }) => (
            <Suspense key={key}>
              <Part person={person} />
            </Suspense>
          ))}
          <PersonPrivateSection person={person} />
          <PersonOfficeNote person={person} />
          {editor.dialog}
        </>
      }
    >
      {(person.tags.length > 0 || person.may.edit) && (
        <Section title={t`Tags`}>
          <PersonTags person={person} />
        </Section>
      )}
      <PersonContactSection person={person} />
      {person.may.keepNotes && (
        <Suspense fallback={<SkeletonLines count={3} />}>
          <PersonNotes person={person} />
        </Suspense>
      )}
      <Section
        title={t`Chapters`}
        count={memberships.length}
        actions={
          <ButtonLink {...tab('memberships')} variant="subtle" size="compact-sm">
            <Trans>All memberships</Trans>
          </ButtonLink>
        }
      >
        {memberships.length > 0 ? <MembershipRows memberships={memberships} /> : <None>{t`Belongs to no chapter.`}</None>}
      </Section>
      <Section
        title={t`Offices`}
        count={positions.length}
        actions={
          <ButtonLink {...tab('positions')} variant="subtle" size="compact-sm">
            <Trans>All offices</Trans>
          </ButtonLink>
        }
      >
        {positions.length > 0 ? <HoldingRows holdings={positions} /> : <None>{t`Holds no office.`}</None>}
      </Section>
      <Section title={t`Groups`} count={groups.length}>
        {groups.length > 0 ? <GroupRows groups={groups} /> : <None>{t`In no group.`}</None>}
      </Section>
      {person.may.seeHistory && (
        <Section
          title={t`Latest changes`}
          actions={
            <ButtonLink {...tab('history')} variant="subtle" size="compact-sm">
              <Trans>Whole history</Trans>
            </ButtonLink>
          }
        >
          {recentChanges.length > 0 ? (
            recentChanges.slice(0, 5).map((entry) => <HistoryLine key={entry.seq} entry={entry} relative />)
          ) : (
            <None>{t`Nothing was changed yet.`}</None>
          )}
        </Section>
      )}
    </TwoColumns>
  )
}

const None = ({ children }: { children: string }) => <p className={classes['dim']}>{children}</p>

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FormattedTextSection } from '../../platform/formatted-text/formatted-text-section.tsx'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useFormats } from '../../ui/display/dates.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Section, TwoColumns } from '../../ui/page/page.tsx'
import { PlaceAnnouncements } from '../communication/communication-public.tsx'
import { EventFigures } from '../events/events-public.tsx'
import { FieldSections } from '../fields/fields-public.tsx'
import { TagSection } from '../tags/tags-public.tsx'
import { useGroupEditor, useGroupFields } from './groups-api.ts'
import type { Group } from './groups-api.ts'
import { joinWords, kindWords, visibilityWords } from './groups-words.tsx'
import classes from './groups.module.css'
import { callLink, webLink } from '../../ui/display/contact-links.ts'

/** What the group is, who leads it and what belongs to it. */
export function GroupAbout({ group }: { group: Group }) {
  const editor = useGroupEditor(group)
  const fields = useGroupFields(group.id)
  return (
    <TwoColumns
      aside={
        <>
          <Facts group={group} />
          <TagSection recordType="group" record={group} may={group.may.edit && !group.archivedAt} />
          <FieldSections
            recordType="groups"
            name={group.name}
            record={group}
            {...fields}
            may={({ reach }) => group.may.edit && !group.archivedAt && reach !== 'own'}
          />
        </>
      }
    >
      <div className={classes['stack']}>
        <Suspense>
          <PlaceAnnouncements groupId={group.id} />
        </Suspense>
        <FormattedTextSection
          title={t`About`}
          value={group.about}
          empty={<p className={classes['none']}>{t`Nothing is written about this group yet.`}</p>}
          editor={editor}
          change={(about) => ({ about })}
          may={group.may.edit && !group.archivedAt}
        />
        <Section title={t`Events`}>
          <EventFigures groupId={group.id} />
        </Section>
        <Section title={t`Leaders and titles`} count={group.leaders.length}>
          {group.leaders.length === 0 && (
            <p className={classes['none']}>
              {group.may.seeMembers ? t`Nobody leads this group yet.` : t`Only group members can see the roster.`}
            </p>
          )}
          <ul className={classes['list']}>
            {group.leaders.map((leader) => (
              <li key={leader.memberId} className={classes['item']}>
                <span className={classes['words']}>
                  <Link to="/person/$personId/{-$tab}" params={{ personId: leader.id, tab: undefined }}>
                    {leader.displayName}
                  </Link>
                  <span className={classes['minor']}>{leader.title || t`Leader`}</span>
                </span>
              </li>
            ))}
          </ul>
        </Section>
        {group.subgroups.length > 0 && (
          <Section title={t`Subgroups`} count={group.subgroups.length}>
            <ul className={classes['list']}>
              {group.subgroups.map((below) => (
                <li key={below.id} className={classes['item']}>
                  <span className={classes['words']}>
                    <Link to="/groups/$groupId" params={{ groupId: below.id }}>
                      {below.name}
                    </Link>
                    <span className={classes['minor']}>{kindWords()[below.kind]}</span>
                  </span>
                  <span className={classes['end']}>{plural(below.members, { one: '# member', other: '# members' })}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </TwoColumns>
  )
}

function Facts({ group }: { group: Group }) {
  const { number } = useFormats()
  return (
    <Section title={t`Facts`}>
      <FactList>
        <Fact label={t`Kind`}>{kindWords()[group.kind]}</Fact>
        <Fact label={t`Chapter`}>
          {group.chapter ? (
            <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: group.chapter.id, tab: undefined, subtab: undefined }}>
              {group.chapter.name}
            </Link>
          ) : (
            <Trans>The whole organisation</Trans>
          )}
        </Fact>
        <Fact label={t`Joining`}>{joinWords()[group.joinPolicy]}</Fact>
        <Fact label={t`Visibility`}>{visibilityWords()[group.visibility]}</Fact>
        {group.capacity && <Fact label={t`Places`}>{t`${number(group.members)} of ${number(group.capacity)} taken`}</Fact>}
        {group.code && <Fact label={t`Code`}>{group.code}</Fact>}
        {group.phone && (
          <Fact label={t`Telephone`}>
            <a href={callLink(group.phone)}>{group.phone}</a>
          </Fact>
        )}
        {group.website && (
          <Fact label={t`Website`}>
            <a href={webLink(group.website)} rel="noreferrer" target="_blank">
              {group.website.replace(/^https?:\/\//, '')}
            </a>
          </Fact>
        )}
      </FactList>
    </Section>
  )
}

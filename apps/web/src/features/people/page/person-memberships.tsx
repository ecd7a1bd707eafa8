import { ActionIcon, Button, Menu } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useCan } from '../../../platform/session/session.ts'
import { Section } from '../../../ui/page/page.tsx'
import { PersonHeld, PersonTransfers } from '../../membership/membership-public.tsx'
import { PersonCard } from '../card/person-card.tsx'
import { MembershipDialog } from './membership-dialog.tsx'
import classes from '../people.module.css'
import type { Person } from '../people-api.ts'
import { GroupRows, MembershipRows } from './person-rows.tsx'
import { useMembershipWays } from './use-membership-ways.ts'

type Membership = Person['memberships'][number]

/** Where a person belongs and belonged, with the groups; added, changed and ended here. */
export function PersonMemberships({ person }: { person: Person }) {
  const ways = useMembershipWays(person)
  const isClosed = ['deceased', 'merged', 'erased'].includes(person.lifecycle)
  const mayAdd = person.may.edit && !person.archivedAt && !isClosed
  const addsOthers = useCan('people.write') && !person.archivedAt && !isClosed
  const [edited, setEdited] = useState<Membership | 'new'>()
  const actions = (one: Membership) =>
    one.mayEdit &&
    !isClosed && (
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${one.chapter.name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setEdited(one)}>
            <Trans>Change</Trans>
          </Menu.Item>
          {!one.isPrimary && one.when === 'current' && (
            <Menu.Item onClick={() => ways.makeHome(one)}>
              <Trans>Make home chapter</Trans>
            </Menu.Item>
          )}
          {one.when === 'current' && (
            <Menu.Item onClick={() => ways.end(one)}>
              <Trans>End today</Trans>
            </Menu.Item>
          )}
          <Menu.Item color="red" onClick={() => ways.remove(one)}>
            <Trans>Remove, entered by mistake</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    )
  const part = (when: Membership['when'], title: string) => {
    const found = person.memberships.filter((one) => one.when === when)
    return (
      found.length > 0 && (
        <div>
          <h3 className={classes['subTitle']}>{title}</h3>
          <MembershipRows memberships={found} actions={actions} />
        </div>
      )
    )
  }
  return (
    <div className={classes['stack']}>
      <Suspense>
        <PersonHeld person={{ id: person.id, displayName: person.displayName, chapterId: person.homeChapter?.id ?? null }} />
      </Suspense>
      <Section
        title={t`Chapters`}
        count={person.memberships.length}
        actions={
          mayAdd && (
            <Button variant="default" size="compact-md" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
              <Trans>Add to a chapter</Trans>
            </Button>
          )
        }
      >
        {addsOthers && !mayAdd && (
          <p className={classes['dim']}>{t`Belongs to no chapter of yours today. Ask an administrator to add them to one.`}</p>
        )}
        {person.memberships.length === 0 && <p className={classes['dim']}>{t`Belongs to no chapter.`}</p>}
        {part('current', t`Today`)}
        {part('future', t`To come`)}
        {part('past', t`Past`)}
      </Section>
      <Suspense>
        <PersonTransfers person={person} />
      </Suspense>
      <Section title={t`Groups`} count={person.groups.length}>
        {person.groups.length === 0 ? <p className={classes['dim']}>{t`In no group.`}</p> : <GroupRows groups={person.groups} />}
      </Section>
      <PersonCard person={person} />
      <MembershipDialog
        edited={edited}
        onClose={() => setEdited(undefined)}
        onSave={(values) => (edited && edited !== 'new' ? ways.change(edited, values) : ways.add(values))}
      />
    </div>
  )
}

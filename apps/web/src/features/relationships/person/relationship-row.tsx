import { ActionIcon, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import type { Relationship } from '@guildhall/contract/features/relationships'
import { toast } from '../../../platform/activity/toast.tsx'
import { acting } from '../../../platform/api/acting.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelationshipBadge } from '../lines/line-words.tsx'
import { useRelationshipsChanged } from '../relationships-api.ts'
import { EditDialog, EndDialog, useReopen } from './change-dialogs.tsx'
import classes from './person.module.css'
import { pairText, seenFrom } from './relationship-words.ts'

type Props = { relationship: Relationship; personId: string }

/** The other of the two, since when, and what the reader may do about it. */
export function RelationshipRow({ relationship, personId }: Props) {
  const { day } = useFormats()
  const { other, role } = seenFrom(relationship, personId)
  const { state, startsOn, endsOn, note, verifiedBy, verifiedAt, lapsesOn, proposedBy } = relationship
  const facts = [
    startsOn && t`Since ${day(startsOn)}`,
    endsOn && (state === 'ended' ? t`Until ${day(endsOn)}` : t`Ends on ${day(endsOn)}`),
    state === 'active' && lapsesOn && endsOn === null && t`Ends on ${day(lapsesOn)}, at the age of majority`,
    verifiedAt && (verifiedBy ? t`Verified by ${verifiedBy}` : t`Verified`),
    state === 'proposed' && proposedBy && t`Proposed by ${proposedBy}`,
  ].filter(Boolean)
  return (
    <li className={classes['row']}>
      <div className={classes['words']}>
        <div className={classes['who']}>
          {other.displayName ? <PersonLink person={other} /> : <span className={classes['dim']}>{t`Name not shown`}</span>}
          <span className={classes['dim']}>{role}</span>
          {state !== 'active' && <RelationshipBadge state={state} />}
        </div>
        <span className={classes['dim']}>
          {other.chapter && <ChapterLink chapter={other.chapter} />}
          {other.chapter && facts.length > 0 && ' · '}
          {facts.join(' · ')}
        </span>
        {note && <p className={classes['note']}>{note}</p>}
      </div>
      <Actions relationship={relationship} />
    </li>
  )
}

function Actions({ relationship }: { relationship: Relationship }) {
  const { verify, end } = useApi().data.relationships
  const changed = useRelationshipsChanged()
  const reopen = useReopen()
  const isActing = acting.use() !== null
  const [asked, setAsked] = useState<'edit' | 'end'>()
  const close = () => setAsked(undefined)
  const { id: relationshipId, version, state, may, verifiedAt, from, to } = relationship
  const pair = pairText(relationship)
  const mayVerify = may.verify && verifiedAt === null
  // Only the account's own name stands under what is agreed.
  if (isActing || !(may.edit || mayVerify || may.end || may.reopen)) return null
  const act = async (failed: string, run: () => Promise<unknown>) => {
    try {
      await run()
    } catch (failure) {
      toast.error(failed, failure)
    }
  }
  const doVerify = () =>
    act(t`The relationship could not be verified`, async () => {
      await verify.call({ relationshipId }, { context: { ifMatch: version } })
      await changed()
      toast.success(t`${pair}: verified`)
    })
  const withdraw = () =>
    act(t`The proposal could not be withdrawn`, async () => {
      const withdrawn = await end.call({ relationshipId }, { context: { ifMatch: version } })
      await changed()
      toast.undo(t`${pair}: withdrawn`, () => reopen(withdrawn))
    })
  const again = () =>
    act(t`The relationship could not be reopened`, async () => {
      const now = await reopen(relationship)
      toast.success(now.state === 'active' ? t`${pair}: active again` : t`${pair}: proposed again`)
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${from.displayName} and ${to.displayName}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may.edit && (
            <Menu.Item onClick={() => setAsked('edit')}>
              <Trans>Edit</Trans>
            </Menu.Item>
          )}
          {mayVerify && (
            <Menu.Item onClick={() => void doVerify()}>
              <Trans>Verify</Trans>
            </Menu.Item>
          )}
          {may.reopen && (
            <Menu.Item onClick={() => void again()}>
              {state === 'active' ? <Trans>Remove last day</Trans> : <Trans>Reopen</Trans>}
            </Menu.Item>
          )}
          {may.end && state === 'active' && (
            <Menu.Item color="red" onClick={() => setAsked('end')}>
              <Trans>End relationship</Trans>
            </Menu.Item>
          )}
          {may.end && state === 'proposed' && (
            <Menu.Item color="red" onClick={() => void withdraw()}>
              <Trans>Withdraw</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditDialog opened={asked === 'edit'} relationship={relationship} onClose={close} />
      <EndDialog opened={asked === 'end'} relationship={relationship} onClose={close} />
    </>
  )
}

import { Select, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { FormattedTextField } from '../../../platform/formatted-text/formatted-text-field.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { chosenOf, optionsOf, staffRoleWords } from '../events-words.tsx'
import { CoverField } from './cover-field.tsx'
import { newKey } from './event-values.ts'
import type { ProgrammeValues, StaffValues } from './event-values.ts'
import { usePart } from './form-context.ts'
import { MoreFields } from '../../../ui/form/more-fields.tsx'
import { PartRows } from '../../../ui/form/part-rows.tsx'
import classes from './event-form.module.css'

/** What the page of the event tells. */
export function PagePart() {
  const { values, set, errorOf, text } = usePart('summary', 'description', 'programme', 'staff', 'timezone', 'startsAt')
  return (
    <>
      <CoverField />
      <TextInput
        label={<Optional>{t`Summary`}</Optional>}
        description={t`One sentence, in lists and messages`}
        maxLength={300}
        {...text('summary')}
      />
      <FormattedTextField
        label={<Optional>{t`Description`}</Optional>}
        value={values.description}
        onChange={(description) => set({ description })}
        error={errorOf('description')}
      />
      <MoreFields label={t`Programme`} opened={values.programme.length > 0}>
        <PartRows<ProgrammeValues>
          rows={values.programme}
          onChange={(programme) => set({ programme })}
          name={(item, nth) => item.title.trim() || t`Item ${nth + 1}`}
          addLabel={t`Add an item`}
          make={() => ({
            key: newKey(),
            ...{ title: '', room: '', speaker: '', about: '' },
            startsAt: values.programme.at(-1)?.endsAt ?? values.programme.at(-1)?.startsAt ?? values.startsAt,
            endsAt: null,
          })}
        >
          {(item, nth, change) => {
            const path = (field: string) => `programme.${nth}.${field}`
            return (
              <>
                <TextInput
                  label={t`Title`}
                  maxLength={150}
                  value={item.title}
                  onChange={({ currentTarget }) => change({ title: currentTarget.value })}
                  error={errorOf(path('title'))}
                  data-path={path('title')}
                />
                <div className={classes['pair']}>
                  <MomentField
                    label={t`Start`}
                    zone={values.timezone}
                    value={item.startsAt}
                    onChange={(startsAt) => change({ startsAt: startsAt ?? undefined })}
                  />
                  <MomentField
                    label={<Optional>{t`End`}</Optional>}
                    zone={values.timezone}
                    value={item.endsAt}
                    onChange={(endsAt) => change({ endsAt })}
                    error={item.endsAt === undefined ? undefined : errorOf(path('endsAt'))}
                  />
                </div>
                <div className={classes['pair']}>
                  <TextInput
                    label={<Optional>{t`Speaker`}</Optional>}
                    maxLength={200}
                    value={item.speaker}
                    onChange={({ currentTarget }) => change({ speaker: currentTarget.value })}
                  />
                  <TextInput
                    label={<Optional>{t`Room`}</Optional>}
                    maxLength={100}
                    value={item.room}
                    onChange={({ currentTarget }) => change({ room: currentTarget.value })}
                  />
                </div>
                <Textarea
                  label={<Optional>{t`About`}</Optional>}
                  autosize
                  maxLength={2000}
                  value={item.about}
                  onChange={({ currentTarget }) => change({ about: currentTarget.value })}
                />
              </>
            )
          }}
        </PartRows>
      </MoreFields>
      <MoreFields label={t`Hosts, speakers and helpers`} opened={values.staff.length > 0}>
        <p className={classes['note']}>
          {t`Hosts and speakers are named on the page. Managers may change the event, check-in helpers check people in.`}
        </p>
        <PartRows<StaffValues>
          rows={values.staff}
          onChange={(staff) => set({ staff })}
          name={(_, nth) => t`Person ${nth + 1}`}
          addLabel={t`Add a person`}
          make={() => ({ key: newKey(), personId: null, role: 'host' })}
        >
          {(person, nth, change) => (
            <div className={classes['pair']}>
              <PersonPicker
                label={t`Person`}
                value={person.personId}
                onChange={(personId) => change({ personId })}
                error={errorOf(`staff.${nth}.personId`)}
              />
              <Select
                label={t`Role`}
                allowDeselect={false}
                data={optionsOf(staffRoleWords())}
                value={person.role}
                onChange={(role) => change({ role: chosenOf(staffRoleWords(), role) ?? person.role })}
              />
            </div>
          )}
        </PartRows>
      </MoreFields>
    </>
  )
}

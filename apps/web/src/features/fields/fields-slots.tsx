import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const fieldsSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'fields',
      label: msg`Fields`,
      order: 70,
      may: (_, can) => can('organisation.manage'),
      content: lazy(async () => ({ default: (await import('./fields-tab.tsx')).FieldsTab })),
    },
  ],
  historyWords: [
    {
      entities: {
        fields: { noun: msg`Field` },
        field_choices: { noun: msg`Choice of a field` },
        people_field_values: { noun: msg`Field of a person`, onPerson: msg`Field` },
        chapters_field_values: { noun: msg`Field of a chapter` },
        groups_field_values: { noun: msg`Field of a group` },
      },
      fields: {
        recordType: msg`Kind of record`,
        help: msg`Help text`,
        required: msg`Required`,
        pattern: msg`Pattern`,
        section: msg`Heading`,
        audience: msg`Who reads it`,
        ownEditable: msg`People edit their own`,
        sensitive: msg`Sensitive`,
        retired: msg`Retired`,
        value: msg`Value`,
      },
    },
  ],
}

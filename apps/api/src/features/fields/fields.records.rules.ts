import type { RecordType } from '@guildhall/contract/features/fields'
import type { Permission } from '@guildhall/contract/permissions'

type FieldRecord = {
  /** The table of values, and its column with the key of the record. */
  values: 'people_field_values' | 'chapters_field_values' | 'groups_field_values'
  record: 'person_id' | 'chapter_id' | 'group_id'
  /** What reads fields for officers, and sensitive ones: as app_private.keep_fields was told. */
  kept: Permission
  /** What changes values. */
  writes: Permission
  sensitive: Permission
}

/** Kinds of records that have fields of the organisation. */
export const fieldRecords: Readonly<Record<RecordType, FieldRecord>> = {
  people: {
    values: 'people_field_values',
    record: 'person_id',
    kept: 'people.contact',
    writes: 'people.write',
    sensitive: 'people.sensitive',
  },
  chapters: {
    values: 'chapters_field_values',
    record: 'chapter_id',
    kept: 'chapters.edit',
    writes: 'chapters.edit',
    sensitive: 'people.sensitive',
  },
  groups: {
    values: 'groups_field_values',
    record: 'group_id',
    kept: 'groups.manage',
    writes: 'groups.manage',
    sensitive: 'people.sensitive',
  },
}

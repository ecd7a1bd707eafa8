import { RecordPicker } from '../../ui/form/record-picker.tsx'
import type { RecordPickerProps } from '../../ui/form/record-picker.tsx'
import { useRecordSources } from './record-sources.ts'

type Props = Omit<RecordPickerProps, 'search' | 'names'>

/** Fields of any form: `<PersonPicker label={t`Person`} {...form.getInputProps('personId')} />`. */
export const PersonPicker = (props: Props) => <RecordPicker {...useRecordSources().people} {...props} />
export const ChapterPicker = (props: Props) => <RecordPicker {...useRecordSources().chapters} {...props} />
export const GroupPicker = (props: Props) => <RecordPicker {...useRecordSources().groups} {...props} />

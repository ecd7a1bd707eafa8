import { BulkActionBar } from '../../../ui/list/bulk-action-bar.tsx'
import { BulkButtons } from './bulk-buttons.tsx'
import type { BulkButtonsProps } from './bulk-buttons.tsx'

/** At the bottom while people are selected. */
export const BulkBar = (props: BulkButtonsProps) => (
  <BulkActionBar selection={props.selection} total={props.total} totalIsExact={props.totalIsExact}>
    <BulkButtons {...props} />
  </BulkActionBar>
)

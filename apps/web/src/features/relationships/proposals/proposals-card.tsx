import { acting } from '../../../platform/api/acting.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { HomeCard } from '../../home/home-public.tsx'
import { useProposals } from '../relationships-api.ts'
import { ProposalQueue } from './proposal-queue.tsx'

/** On home, while there is a proposal that waits for the reader. A failure is no reason to show an empty card: the page of a person says it. */
export function ProposalsCard() {
  const isActing = acting.use() !== null
  const waiting = useProposals()
  const { number } = useFormats()
  const { items = [], total = items.length } = waiting.data ?? {}
  if (isActing || items.length === 0) return null
  return (
    <HomeCard card="relationshipsToConfirm" count={number(total)}>
      <ProposalQueue rows={items} />
      <ShowMore query={waiting} />
    </HomeCard>
  )
}

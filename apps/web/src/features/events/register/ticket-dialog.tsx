import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { QrCode } from '../../../ui/display/qr-code.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useEventTimes } from '../event-times.ts'
import type { Event } from '../events-api.ts'
import type { Registration } from './register-api.ts'
import classes from './register.module.css'

type Props = { event: Event; tickets: readonly Registration[]; opened: boolean; onClose: () => void }

/** The codes of somebody and their guests, one at a time and as large as the screen allows, since the door reads them from it. */
export function TicketDialog({ event, tickets, opened, onClose }: Props) {
  const isPhone = useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Ticket for ${event.title}`} fullScreen={isPhone}>
      {opened && <Body event={event} tickets={tickets} />}
    </Dialog>
  )
}

function Body({ event, tickets }: Pick<Props, 'event' | 'tickets'>) {
  const times = useEventTimes()
  const [at, setAt] = useState(0)
  const ticket = tickets[Math.min(at, tickets.length - 1)]
  if (!ticket?.ticketCode) return <p>{t`There is no ticket at the moment.`}</p>
  const [place, count] = [at + 1, tickets.length]
  return (
    <div className={classes['code']}>
      <div className={classes['qr']}>
        <QrCode content={ticket.ticketCode} label={t`QR code of the ticket of ${ticket.name}`} />
      </div>
      <div aria-live="polite">
        <p className={classes['holder']}>{ticket.name}</p>
        <p className={classes['dim']}>
          {[ticket.ticketType?.name, times.whole(event), times.place(event.timezone), event.venueName].filter(Boolean).join(' · ')}
        </p>
      </div>
      {count > 1 && (
        <div className={classes['acts']}>
          <Button variant="default" disabled={at === 0} onClick={() => setAt(at - 1)}>
            <Trans>Previous ticket</Trans>
          </Button>
          <Button variant="default" disabled={place === count} onClick={() => setAt(at + 1)}>
            <Trans>Next ticket</Trans>
          </Button>
        </div>
      )}
      {count > 1 && <p className={classes['dim']}>{t`Ticket ${place} of ${count}`}</p>}
      <TicketDownload registration={ticket} title={event.title} />
    </div>
  )
}

export function TicketDownload({ registration, title }: { registration: Pick<Registration, 'id' | 'name'>; title: string }) {
  const { events } = useApi().actions
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveFile(
        await events.printTicket.call({ registrationId: registration.id }),
        `${[title, registration.name].join(' - ').replaceAll(/[\\/:*?"<>|]/g, ' ')}.pdf`,
      )
    } catch (problem) {
      toast.error(t`The ticket could not be downloaded`, problem)
    }
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      onClick={() => void download()}
    >
      <Trans>Download PDF</Trans>
    </Button>
  )
}

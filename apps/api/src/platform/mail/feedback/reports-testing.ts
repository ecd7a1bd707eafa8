/** Reports as mail servers write them. */
export type Dsn = { messageId: string; status: string; said: string; action?: string; original?: string | null }

/** A delivery status notification (RFC 3464), as Postfix writes it. */
export function dsn({ messageId, status, said, action = 'failed', original = 'message/rfc822' }: Dsn): string {
  return [
    'From: MAILER-DAEMON@mail.example.net (Mail Delivery System)',
    'To: bounces@example.org',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--b1',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example.net',
    ...(original === null ? [`Original-Envelope-Id: ${messageId.slice(1, -1)}`] : []),
    'Arrival-Date: Mon, 23 Nov 2026 10:00:00 +0000 (UTC)',
    '',
    'Final-Recipient: rfc822; lost@example.org',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '    and more of it on another line',
    '',
    ...(original === null
      ? []
      : [
          '--b1',
          'Content-Description: Undelivered Message',
          `Content-Type: ${original}`,
          '',
          'From: Guildhall <no-reply@example.org>',
          `Message-ID:`,
          ` ${messageId}`,
          'Subject: Hello',
          '',
          ...(original === 'message/rfc822' ? ['Dear Ada, this is what was said.', ''] : []),
        ]),
    '--b1--',
    '',
  ].join('\r\n')
}

/** A complaint in the Abuse Reporting Format (RFC 5965). */
export function arf(messageId: string, type = 'abuse'): string {
  return [
    'From: <abusedesk@example.com>',
    'Subject: FW: Hello',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b2"',
    '',
    '--b2',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '',
    '--b2',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    'Original-Mail-From: <no-reply@example.org>',
    '',
    '--b2',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    'From: <no-reply@example.org>',
    `Message-ID: ${messageId}`,
    'Subject: Hello',
    '',
    'Dear Ada.',
    '',
    '--b2--',
    '',
  ].join('\r\n')
}

/// Rows of a run in its large tables, as far as a change concerns them.
package enum ChangedRows {
    /// Recipients with these numbers.
    case recipients([Int])
    /// Notifications with these numbers: a recipient's own, or shared ones.
    case notifications([Int])
    /// All notifications of a run that sends nothing more.
    case anyNotification
    /// Any of its rows, which are being deleted.
    case any
}

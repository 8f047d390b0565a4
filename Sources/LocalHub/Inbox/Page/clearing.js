// Clearing the mailboxes: all, or those of the user that is shown.

const clearDialog = the("clear");

the("clear-open").addEventListener("click", () => {
    const whose = place.user === ""
        ? ["All messages of all devices go, for everybody who looks at this hub."]
        : ["All messages of the devices of ", make("bdi", "data", place.user), " go."];
    fill(the("clear-text"), ...whose, " Devices, rules and counts stay.");
    setText(the("clear-do"), place.user === "" ? "Clear all" : "Clear these");
    setText(the("clear-error"), "");
    clearDialog.showModal();
});

the("clear-cancel").addEventListener("click", () => clearDialog.close());

the("clear-do").addEventListener("click", async () => {
    try {
        await change("DELETE", "/messages", { parameters: { user: place.user } });
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        setText(the("clear-error"), error.message);
        return;
    }
    clearDialog.close();
    go({ message: null });
    attempt(() => refreshMessages({ beginning: true }));
    attempt(() => refreshDevices());
});

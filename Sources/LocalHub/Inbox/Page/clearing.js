// Clears messages: all, or those of the shown user.

const clearDialog = the("clear");
// The scope shown in the dialog; navigating back meanwhile must not widen it.
let cleared = {};

the("clear-open").addEventListener("click", () => {
    cleared = { hub: place.hub, user: place.user };
    const whose = place.user === ""
        ? ["This deletes all messages of all devices, for everybody who uses this hub."]
        : ["This deletes all messages of the devices of ", make("bdi", "data", place.user), "."];
    fill(the("clear-text"), ...whose, " Devices, rules and counts are kept.");
    setText(the("clear-do"), place.user === "" ? "Clear all" : "Clear these");
    setText(the("clear-error"), "");
    clearDialog.showModal();
});

the("clear-cancel").addEventListener("click", () => clearDialog.close());

the("clear-do").addEventListener("click", async () => {
    try {
        await change("DELETE", "/messages", { parameters: cleared });
    } catch (error) {
        if (!(error instanceof HubError)) throw error;
        setText(the("clear-error"), error.message);
        return;
    }
    if (clearDialog.open) go(nothingOpen);
    clearDialog.close();
    attempt(() => refreshMessages({ beginning: true }));
    attempt(() => refreshDevices());
});

onPlace((now) => {
    if (now.hub !== cleared.hub || now.user !== cleared.user) clearDialog.close();
});

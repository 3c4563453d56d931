"""Questions as tourists, couriers, parents, wheelchair users, drivers and night owls put them."""
